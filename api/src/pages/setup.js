// Makes the first administrator. Text only ever goes in as text.
const texts = {
  en: {
    title: "Welcome to Neta",
    about: "Make the first administrator. The token was printed when Neta started.",
    token: "Token",
    name: "Name to log in with",
    password: "Password (10 characters or more)",
    make: "Make the administrator",
    done: "There is an administrator already.",
    made: "Done: you are logged in as the administrator.",
    next: "What programs can do: the reference",
    away: "The server does not answer. Try again.",
  },
  zh: {
    title: "欢迎使用 Neta",
    about: "请创建第一个管理员。令牌在 Neta 启动时已打印出来。",
    token: "令牌",
    name: "登录名",
    password: "密码（至少 10 个字符）",
    make: "创建管理员",
    done: "管理员已经存在。",
    made: "完成：你已作为管理员登录。",
    next: "程序可以做什么：参考文档",
    away: "服务器没有回应，请重试。",
  },
};
const language = (navigator.language || "en").startsWith("zh") ? "zh" : "en";
const text = texts[language];
document.documentElement.lang = language;
for (const element of document.querySelectorAll("[data-text]")) element.textContent = text[element.dataset.text];

const form = document.querySelector("form");
const message = document.querySelector("#message");
const say = (what, bad) => {
  message.textContent = what;
  message.className = bad ? "bad" : "";
};
const over = (what) => {
  form.hidden = true;
  document.querySelector("[data-text=about]").hidden = true;
  document.querySelector("#next").hidden = false;
  say(what, false);
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const answer = await fetch("/api/setup", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (answer.ok) over(text.made);
    else say((await answer.json()).detail, true);
  } catch {
    say(text.away, true);
  }
  button.disabled = false;
});

fetch("/api/setup")
  .then((answer) => answer.json())
  .then(({ needed }) => {
    if (!needed) return over(text.done);
    form.hidden = false;
    form.querySelector("input").focus();
  })
  .catch(() => say(text.away, true));
