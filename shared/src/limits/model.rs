//! One model's limits, for the memory adapter; `acquire.lua` and `release.lua` have the same rules.

use super::blocked::Block;
use super::{Ask, MINUTE, PLACE_RETRY, Permit, RUNG_GRACE, WAITER_GRACE};
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Waiters that one release looks through.
const LOOK_AT: usize = 200;

/// What is known of a model.
#[derive(Debug, Default)]
pub(super) struct Model {
    /// Permits in force and when they run out.
    permits: HashMap<u64, u64>,
    line: BTreeMap<u64, RunId>,
    waiters: HashMap<RunId, Waiter>,
    next_place: u64,
    /// When calls were granted; as many as the minute's limit at most.
    calls: VecDeque<u64>,
    /// Tokens left, and as of when.
    tokens: Option<(f64, u64)>,
    block: Option<Block>,
    max_concurrency: Option<u32>,
}

#[derive(Debug)]
struct Waiter {
    place: u64,
    /// When its place is lost.
    until: u64,
    /// Whether it waits for one of the model's places, and for nothing that comes with time.
    for_place: bool,
    rung: bool,
    job: Job,
}

/// What an ask came to.
pub(super) enum Answer {
    /// Granted, with so many tokens reserved.
    Granted(u64),
    /// To ask again, in ms from now.
    Wait(u64),
}

impl Model {
    pub(super) fn acquire(&mut self, now: u64, nonce: u64, ask: &Ask<'_>) -> Answer {
        self.tidy(now);
        self.max_concurrency = ask.max_concurrency;
        let run = ask.job.run_id;
        let place = self.waiters.get(&run).map(|w| w.place);
        let ahead = place.map_or(self.line.len(), |p| self.line.range(..p).count()) as u64;
        let blocked = self.block.as_mut().and_then(|b| b.refuse(now)).unwrap_or(0);
        let calls = ask.rpm.map_or(0, |rpm| self.wait_for_calls(now, ahead, rpm));
        let (tokens, reserved) = ask.tpm.map_or((0, 0), |tpm| self.wait_for_tokens(now, ahead, tpm, ask));
        let by_time = blocked.max(calls).max(tokens);
        let in_force = self.permits.len() as u64;
        let no_place = ask.max_concurrency.is_some_and(|max| in_force + ahead >= u64::from(max));
        if by_time == 0 && !no_place {
            self.leave_line(run);
            self.permits.insert(nonce, now + Permit::LIFETIME.as_millis() as u64);
            if let Some(rpm) = ask.rpm {
                self.calls.push_back(now);
                while self.calls.len() > rpm as usize {
                    self.calls.pop_front();
                }
            }
            if let Some((left, _)) = self.tokens.as_mut() {
                *left -= reserved as f64;
            }
            return Answer::Granted(reserved);
        }
        let for_place = if no_place { PLACE_RETRY + rand::random_range(0..PLACE_RETRY / 5) } else { 0 };
        let wait = by_time.max(for_place);
        let place = place.unwrap_or_else(|| {
            self.next_place += 1;
            self.line.insert(self.next_place, run);
            self.next_place
        });
        let until = now + wait + WAITER_GRACE;
        let waiter = Waiter { place, until, for_place: by_time == 0, rung: false, job: ask.job.clone() };
        self.waiters.insert(run, waiter);
        Answer::Wait(wait)
    }

    pub(super) fn release(&mut self, now: u64, permit: &Permit, used: u64) -> Vec<Job> {
        let known = self.permits.remove(&permit.nonce).is_some();
        if let (true, Some((left, _))) = (known, self.tokens.as_mut()) {
            *left += permit.reserved_tokens as f64 - used as f64;
        }
        self.next(now)
    }

    pub(super) fn leave(&mut self, now: u64, run: RunId) -> Vec<Job> {
        self.leave_line(run);
        self.next(now)
    }

    /// Those whose turn has come.
    fn next(&mut self, now: u64) -> Vec<Job> {
        self.tidy(now);
        let Some(max) = self.max_concurrency else { return Vec::new() };
        if self.block.is_some_and(|b| b.lasts(now)) {
            return Vec::new();
        }
        let rung = self.waiters.values().filter(|w| w.rung).count();
        let free = (max as usize).saturating_sub(self.permits.len() + rung);
        let mut jobs = Vec::new();
        for run in self.line.values().take(LOOK_AT) {
            if jobs.len() == free {
                break;
            }
            if let Some(waiter) = self.waiters.get_mut(run)
                && waiter.for_place
                && !waiter.rung
            {
                waiter.rung = true;
                waiter.until = now + RUNG_GRACE;
                jobs.push(waiter.job.clone());
            }
        }
        jobs
    }

    pub(super) fn renew(&mut self, now: u64, nonce: u64) {
        if let Some(until) = self.permits.get_mut(&nonce) {
            *until = now + Permit::LIFETIME.as_millis() as u64;
        }
    }

    pub(super) fn note_block(&mut self, block: Block) {
        if self.block.is_none_or(|known| known.ends_before(&block)) {
            self.block = Some(block);
        }
    }

    fn tidy(&mut self, now: u64) {
        self.permits.retain(|_, until| *until > now);
        let line = &mut self.line;
        self.waiters.retain(|_, waiter| {
            let lives = waiter.until > now;
            if !lives {
                line.remove(&waiter.place);
            }
            lives
        });
    }

    fn leave_line(&mut self, run: RunId) {
        if let Some(waiter) = self.waiters.remove(&run) {
            self.line.remove(&waiter.place);
        }
    }

    /// No two calls that stand `rpm` apart are less than a minute apart; those ahead come first.
    fn wait_for_calls(&self, now: u64, ahead: u64, rpm: u32) -> u64 {
        let rpm = u64::from(rpm.max(1));
        let rounds = ahead / rpm * MINUTE;
        let index = (self.calls.len() as u64 + ahead % rpm).checked_sub(rpm);
        match index.and_then(|i| self.calls.get(i as usize)) {
            Some(call) => (call + MINUTE + rounds).saturating_sub(now),
            None => rounds,
        }
    }

    /// A bucket that fills within a minute; those ahead are taken to want as much.
    fn wait_for_tokens(&mut self, now: u64, ahead: u64, tpm: u32, ask: &Ask<'_>) -> (u64, u64) {
        let full = f64::from(tpm.max(1));
        let (left, at) = self.tokens.unwrap_or((full, now));
        let left = full.min(left + (now - at) as f64 * full / MINUTE as f64);
        self.tokens = Some((left, now));
        let reserved = ask.estimated_tokens.min(u64::from(tpm.max(1)));
        let need = full.min(reserved as f64 * (ahead + 1) as f64);
        (((need - left).max(0.0) * MINUTE as f64 / full).ceil() as u64, reserved)
    }
}
