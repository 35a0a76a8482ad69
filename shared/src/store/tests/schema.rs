use crate::on_both;
use crate::store::db::{Sql, query};
use crate::store::{Db, migrations};
use crate::testing::databases;
use std::collections::BTreeSet;

async fn lines(db: &Db, sql: Sql) -> BTreeSet<String> {
    query(sql).all(db).await.unwrap().iter().map(|row| row.get("line").unwrap()).collect()
}

const COLUMNS: Sql = Sql {
    sqlite: "SELECT m.name || '.' || c.name || CASE WHEN c.\"notnull\" OR c.pk > 0 THEN ' not null' ELSE '' END \
             AS line FROM sqlite_schema m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name LIKE 'netaclaw%'",
    postgres: "SELECT CAST(table_name || '.' || column_name \
               || CASE WHEN is_nullable = 'NO' THEN ' not null' ELSE '' END AS text) AS line \
               FROM information_schema.columns WHERE table_name LIKE 'netaclaw%'",
};

// Primary keys are compared as columns; the rest by name, uniqueness, columns and being partial.
const INDEXES: Sql = Sql {
    sqlite: "SELECT m.name || '.' || i.name || CASE WHEN i.\"unique\" THEN ' unique' ELSE '' END \
             || CASE WHEN i.partial THEN ' partial' ELSE '' END || ' ' || \
             (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS line \
             FROM sqlite_schema m JOIN pragma_index_list(m.name) i \
             WHERE m.type = 'table' AND m.name LIKE 'netaclaw%' AND i.origin = 'c'",
    postgres: "SELECT CAST(t.relname || '.' || c.relname || CASE WHEN i.indisunique THEN ' unique' ELSE '' END \
               || CASE WHEN i.indpred IS NOT NULL THEN ' partial' ELSE '' END || ' ' || \
               (SELECT string_agg(a.attname, ',' ORDER BY array_position(CAST(i.indkey AS int2[]), a.attnum)) \
                FROM pg_attribute a WHERE a.attrelid = t.oid \
                AND a.attnum = ANY(CAST(i.indkey AS int2[]))) AS text) AS line \
               FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid \
               WHERE t.relname LIKE 'netaclaw%' AND NOT i.indisprimary",
};

#[tokio::test]
async fn the_two_schemas_are_one() {
    let (sqlite, postgres) = (databases::sqlite().await, databases::postgres().await);
    for (what, sql, least) in [("columns", COLUMNS, 100), ("indexes", INDEXES, 12)] {
        let (s, p) = (lines(&sqlite, sql).await, lines(&postgres, sql).await);
        assert!(s.len() >= least, "{what}: {s:#?}");
        let only = (s.difference(&p).collect::<Vec<_>>(), p.difference(&s).collect::<Vec<_>>());
        assert!(only.0.is_empty() && only.1.is_empty(), "{what} only in SQLite, only in Postgres: {only:#?}");
    }
}

on_both!(migrating_again_changes_nothing, |db| async {
    assert_eq!(migrations::schema_version(db).await.unwrap(), migrations::latest());
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let db = (**db).clone();
        tasks.spawn(async move { migrations::migrate(&db).await });
    }
    for done in tasks.join_all().await {
        done.unwrap();
    }
});

on_both!(a_database_that_was_never_migrated_says_so, |db| async {
    db.run_raw("DROP TABLE _sqlx_migrations".to_owned()).await.unwrap();
    assert_eq!(migrations::schema_version(db).await.unwrap(), 0);
});
