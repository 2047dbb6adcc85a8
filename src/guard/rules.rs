//! What secrets look like: one row a kind.
//!
//! The forms are what the issuers of keys publish: a prefix, an alphabet and a length. The rows
//! stand from the special to the general; where two match, the first names it.

use super::private_key::{EDGE, WORDS};

/// What else must hold of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The form alone says what it is; only placeholders are passed over.
    Form,
    /// It is a secret by the name before it, so it must look like made by a machine.
    Random,
    /// Somebody may have made it up, so it needs a letter and something else.
    Chosen,
    /// The same without quotes around it, where code and prose stand as well.
    Bare,
    /// It stands where only a password can stand.
    Place,
}

/// One kind of secret.
pub(super) struct Rule {
    /// Its name in `[REDACTED:name:n]`.
    pub(super) id: &'static str,
    /// A text without one of these words has no such secret.
    pub(super) words: &'static [&'static str],
    /// Nor has one without one of these, if there are any.
    pub(super) also: &'static [&'static str],
    /// The secret is group `s`, or all of it.
    pub(super) pattern: &'static str,
    /// The least entropy, in bits a byte.
    pub(super) bits: f64,
    /// What else must hold.
    pub(super) proof: Proof,
}

impl Rule {
    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }
}

/// A key that shows what it is: `bits` is low, since only repetition is to be passed over.
const fn key(id: &'static str, words: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { id, words, also: &[], pattern, bits: 2.0, proof: Proof::Form }
}

const fn rule(
    id: &'static str,
    words: &'static [&'static str],
    pattern: &'static str,
    bits: f64,
    proof: Proof,
) -> Rule {
    Rule { id, words, also: &[], pattern, bits, proof }
}

/// The rule for keys of many rows.
pub(super) const PRIVATE_KEY: &str = "private-key";

/// The rule for parts of a key in JSON, whose names are letters that much else is called by.
pub(super) const JWK: &str = "jwk-private-part";
/// What such a key says it is for, behind `kty`.
pub(super) const KEY_TYPES: &[&str] = &["EC", "RSA", "oct", "OKP", "AKP"];

/// All kinds. `^^` stands for the place where a word begins, also after `\n` in escaped text and
/// after the colour of a terminal.
pub(super) const RULES: &[Rule] = &[
    // The pattern is that of its first and last lines.
    key(PRIVATE_KEY, WORDS, EDGE),
    key("age-secret-key", &["AGE-SECRET-KEY-"], r"^^AGE-SECRET-KEY-1[A-Za-z0-9]{50,}"),
    key("anthropic-api-key", &["sk-ant-"], r"^^sk-ant-[A-Za-z0-9_-]{20,}"),
    key("openrouter-api-key", &["sk-or-"], r"^^sk-or-(?:v\d-)?[A-Za-z0-9_-]{20,}"),
    key(
        "openai-api-key",
        &["sk-"],
        r"^^sk-(?:(?:proj|svcacct|admin|None|service)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})",
    ),
    key(
        "aws-access-key-id",
        &["A3T", "AKIA", "ASIA", "ABIA", "ACCA"],
        r"^^(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
    ),
    rule(
        "aws-secret-key",
        &["aws", "secretaccess", "secret_access"],
        r#"(?i:aws[a-z_ .-]{0,24}(?:key|secret|token)|secret_?access_?key)[a-z_]{0,10}\\*["'`]?\s{0,4}(?:=>|:=|=|:)(?:\s|\\+[nrt]){0,4}(?:\\*["'`])?(?P<s>[A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)"#,
        3.0,
        Proof::Form,
    ),
    key("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"^^gh[pousr]_[A-Za-z0-9]{36,}"),
    key("github-fine-grained-token", &["github_pat_"], r"^^github_pat_[A-Za-z0-9_]{30,}"),
    key(
        "gitlab-token",
        &["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glagent-", "glsoat-", "glimt-"],
        r"^^gl(?:pat|ptt|dt|rt|cbt|ft|agent|soat|imt)-[A-Za-z0-9_-]{20,}",
    ),
    key("google-api-key", &["AIza"], r"^^AIza[A-Za-z0-9_-]{35}"),
    key("google-oauth-secret", &["GOCSPX-"], r"^^GOCSPX-[A-Za-z0-9_-]{20,}"),
    key("google-oauth-token", &["ya29."], r"^^ya29\.[A-Za-z0-9_-]{20,}"),
    key(
        "slack-token",
        &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
        r"^^(?:xox[abcdeoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9%-]{10,}",
    ),
    key(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/+_-]{20,})",
    ),
    key(
        "discord-webhook",
        &["/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/(?P<s>\d{17,20}/[A-Za-z0-9_-]{40,})",
    ),
    key(
        "stripe-key",
        &["sk_test_", "sk_live_", "sk_prod_", "rk_test_", "rk_live_", "rk_prod_"],
        r"^^[sr]k_(?:test|live|prod)_[A-Za-z0-9]{10,}",
    ),
    key("webhook-secret", &["whsec_"], r"^^whsec_[A-Za-z0-9+/=]{24,}"),
    key("npm-token", &["npm_"], r"^^npm_[A-Za-z0-9]{36,}"),
    key("pypi-token", &["pypi-"], r"^^pypi-[A-Za-z0-9_-]{50,}"),
    key("rubygems-key", &["rubygems_"], r"^^rubygems_[0-9a-f]{48}"),
    key("docker-token", &["dckr_pat_", "dckr_oat_"], r"^^dckr_[op]at_[A-Za-z0-9_-]{20,}"),
    key("huggingface-token", &["hf_", "api_org_"], r"^^(?:hf_|api_org_)[A-Za-z0-9]{34,}"),
    key("replicate-token", &["r8_"], r"^^r8_[A-Za-z0-9]{37,}"),
    key("groq-api-key", &["gsk_"], r"^^gsk_[A-Za-z0-9]{40,}"),
    key("xai-api-key", &["xai-"], r"^^xai-[A-Za-z0-9]{40,}"),
    key("perplexity-api-key", &["pplx-"], r"^^pplx-[A-Za-z0-9]{32,}"),
    key("tavily-api-key", &["tvly-"], r"^^tvly-[A-Za-z0-9-]{20,}"),
    key("sendgrid-key", &["SG."], r"^^SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{32,}"),
    key("mailgun-key", &["key-"], r"^^key-[0-9a-f]{32}\b"),
    key("mailchimp-key", &["-us"], r"^^[0-9a-f]{32}-us\d{1,2}\b"),
    key("twilio-key", &["SK"], r"^^SK[0-9a-f]{32}\b"),
    key("databricks-token", &["dapi"], r"^^dapi[0-9a-f]{32}(?:-\d)?\b"),
    key("digitalocean-token", &["_v1_"], r"^^do[opr]_v1_[0-9a-f]{64}"),
    key(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        r"^^shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    ),
    key("linear-key", &["lin_api_"], r"^^lin_api_[A-Za-z0-9]{32,}"),
    key(
        "notion-token",
        &["ntn_", "secret_"],
        r"^^(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b)",
    ),
    key(
        "sentry-token",
        &["sntrys_", "sntryu_"],
        r"^^(?:sntrys_[A-Za-z0-9_+/=-]{40,}|sntryu_[0-9a-f]{64})",
    ),
    key("vault-token", &["hvs.", "hvb.", "hvr."], r"^^hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    key("grafana-token", &["glsa_", "glc_"], r"^^(?:glsa|glc)_[A-Za-z0-9_+/=]{32,}"),
    key("atlassian-token", &["ATATT3", "ATCTT3"], r"^^AT[AC]TT3[A-Za-z0-9_=-]{40,}"),
    key(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
        r"^^dp\.(?:pt|st|ct|sa)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,}",
    ),
    key("pulumi-token", &["pul-"], r"^^pul-[0-9a-f]{40}"),
    key("planetscale-token", &["pscale_"], r"^^pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,}"),
    key(
        "supabase-key",
        &["sbp_", "sb_secret_"],
        r"^^(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})",
    ),
    key("postman-key", &["PMAK-"], r"^^PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    key("figma-token", &["figd_"], r"^^figd_[A-Za-z0-9_-]{38,}"),
    key("terraform-token", &[".atlasv1."], r"^^[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    key("square-token", &["sq0atp-", "sq0csp-"], r"^^sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    key("telegram-token", &[":AA"], r"^^\d{8,10}:AA[A-Za-z0-9_-]{33}"),
    key("azure-client-secret", &["Q~"], r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    key("azure-storage-key", &["AccountKey="], r"AccountKey=(?P<s>[A-Za-z0-9+/]{64,}={0,2})"),
    // Headers begin with `{"`, seldom with `{ `.
    key("jwt", &["eyJ", "eyA"], r"^^ey[A-Za-z0-9_-]{14,}\.ey[A-Za-z0-9_-]{14,}(?:\.[A-Za-z0-9_-]*)?"),
    // What follows is told by its place or by the name before it.
    rule(
        JWK,
        &["kty"],
        r#"(?:\b|\\[nrt])(?:d|p|q|dp|dq|qi|k)\\*["']?\s{0,4}(?:=>|:)\s{0,4}(?:Some\()?\\*["']?(?P<s>[A-Za-z0-9_-]{22,})"#,
        3.0,
        Proof::Random,
    ),
    rule(
        "authorization-header",
        &["authorization"],
        r#"(?i)authorization\\*["'`]?\s{0,3}[:=,]\s{0,3}\\*["'`]?(?:bearer|basic|token|digest|apikey|api-key)\s+(?P<s>[A-Za-z0-9._~+/=-]{8,})"#,
        2.5,
        Proof::Place,
    ),
    rule(
        "bearer-token",
        &["bearer"],
        r"(?i)\bbearer\s{1,2}(?P<s>[A-Za-z0-9._~+/-]{16,}=*)",
        3.0,
        Proof::Random,
    ),
    rule(
        "key-header",
        &["x-api-key", "x-auth-", "x-access-token", "x-goog-api-key", "private-token"],
        r#"(?i)(?:x-(?:goog-api-key|api-key|auth-(?:key|token)|access-token)|private-token)\\*["'`]?\s{0,3}[:=,](?:\s|\\+[nrt]){0,3}(?:\\*["'`])?(?P<s>[A-Za-z0-9._~+/=-]{12,})"#,
        2.5,
        Proof::Random,
    ),
    rule(
        "curl-user",
        &["curl"],
        r#"\bcurl\b[^\n|;]{0,400}?\s(?:-u|--user)[ =]?\\*["']?[^\s:"'\\]{1,64}:(?P<s>[^\s"'\\$<>{}]{4,})"#,
        1.5,
        Proof::Place,
    ),
    rule(
        "url-password",
        &["://"],
        r#"(?i)[a-z0-9+.-]://[^\s/:@"'`<>\\]{0,64}:(?P<s>[^\s/@"'`<>{}$\\]{4,128})@[a-z0-9\[]"#,
        1.5,
        Proof::Place,
    )
    .also(&["@"]),
    rule(
        "url-query-key",
        &["token=", "key=", "secret=", "password=", "signature=", "sig="],
        r"(?i)[?&](?:access_token|auth_token|api_?key|token|key|secret|client_secret|password|signature|sig|x-amz-signature)=(?P<s>[A-Za-z0-9._~+%-]{16,})",
        3.0,
        Proof::Random,
    ),
    rule(
        "env-secret",
        &[
            "TOKEN=", "SECRET=", "PASSWORD=", "PASSWD=", "PASSPHRASE=", "_PASS=", "_PWD=", "_KEY=",
            "_KEY_BASE=", "PASSWORD:", "PASSWD:", "PASSPHRASE:", "_PASS:", "_PWD:",
        ],
        r#"(?:(?:(?:\b|_|\\[nrt])TOKEN|SECRET|(?:API|SECRET|ACCESS|PRIVATE|AUTH|ENCRYPTION|SIGNING|MASTER)_KEY(?:_BASE)?)=|(?:PASSWORD|PASSWD|PASSPHRASE|[A-Z0-9]_PASS|[A-Z0-9]_PWD)(?:=|:(?:[ \t]|\\+t){1,4}))(?:\\*["'])?(?P<s>[^\s"'`\\$<>{}();,]{8,})"#,
        2.5,
        Proof::Chosen,
    ),
    rule(
        "password",
        &["passw", "passphrase", "pwd"],
        r#"(?i)(?:passw(?:or)?d|passphrase|pwd)\\*["'`]?\s{0,4}(?:=>|:=|=|:)\s{0,4}\\*["'`](?P<s>[^\s"'`\\$<>{}]{8,})\\*["'`]"#,
        2.5,
        Proof::Chosen,
    ),
    rule(
        "secret",
        &["key", "secret", "token", "passw", "passphrase", "pwd", "credential"],
        r#"(?i)(?:(?:api|access|auth|private|signing|encryption|client|account|webhook|storage|master|license)[ _-]?(?:key|token)|secret(?:[ _-]?key)?|token|passw(?:or)?d|passphrase|pwd|credentials?)(?P<n>[a-z0-9_-]{0,24})\\*["'`\]]{0,2}\s{0,4}(?:=>|:=|=|:)(?:\s|\\+[nrt]){0,4}(?:\\*["'`])?(?P<s>[A-Za-z0-9_.~+/=-]{16,})"#,
        3.5,
        Proof::Random,
    ),
    rule(
        "bare-password",
        &["passw", "passphrase", "pwd", "secret"],
        r#"(?i)(?:passw(?:or)?d|passphrase|pwd|secret)\\*["'`*]{0,2}(?:[ \t]|\\+t){0,4}(?:=>|:=|=|:)(?:\*\*)?(?:[ \t]|\\+t){0,4}(?P<s>[^\s"'`\\<>{}(),;\[\]]{8,512})"#,
        2.5,
        Proof::Bare,
    ),
    rule(
        "password-option",
        &["passw", "passphrase", "pwd", "secret"],
        r#"(?i)(?:^|[^a-z0-9_-])--?(?:[a-z0-9]{1,24}[_.-]?){0,4}(?:passw(?:or)?d|passphrase|pwd|secret)(?:\\*["'`],(?:\s|\\+[nrt]){0,12}|[ \t]{1,4})(?:\\*["'`])?(?P<s>[^\s"'`\\<>{}(),;\[\]]{8,512})"#,
        2.5,
        Proof::Bare,
    ),
    rule(
        "token-option",
        &["-token", "_token", "-key", "_key", "-apikey", "-accesskey"],
        r#"(?i)(?:^|[^a-z0-9_-])--?(?:[a-z0-9]{1,24}[_.-]?){0,4}(?:token|(?:api|access|auth|private|account|license|secret)[_-]?key)(?:\\*["'`],(?:\s|\\+[nrt]){0,12}|[ \t]{1,4})(?:\\*["'`])?(?P<s>[A-Za-z0-9_.~+/=-]{16,})"#,
        3.0,
        Proof::Random,
    ),
    rule(
        "said-secret",
        &["password ", "passwort ", "passphrase ", "pwd ", "key is", "token is", "key ist", "token ist"],
        r#"(?i)\b(?:login[ \t]\S{1,64}[ \t]password|(?:passw(?:or)?d|passwort|passphrase|pwd|(?:api|access|auth|secret|private|signing|encryption|client|account|license)[ _-]?key|token)[ \t](?:is|ist):?)[ \t]{1,4}(?:\\*["'`])?(?P<s>[A-Za-z0-9][A-Za-z0-9_.~+/=-]{15,})"#,
        3.5,
        Proof::Random,
    ),
    rule(
        "said-password",
        &["password is", "passwd is", "passwort ist", "passphrase is", "pwd is"],
        r#"(?i)(?:passw(?:or)?d|passphrase|pwd|passwort)[ \t](?:is|ist):?[ \t]{1,4}(?:\\*["'`])?(?P<s>[^\s"'`\\<>{}(),;\[\]]{8,512})"#,
        2.5,
        Proof::Bare,
    ),
    rule(
        "password-argument",
        &["mysql", "mariadb", "sshpass", "docker login", "redis-cli"],
        r#"\b(?:(?:mysql[a-z]{0,8}|mariadb[a-z-]{0,8})\b[^\n|;&\[]{0,200}?[ \t"']-p(?:\\*["'])?|sshpass[ \t]+-p[ \t]{0,2}(?:\\*["'])?|docker login\b[^\n|;&]{0,200}?[ \t]-p[ \t]{1,2}(?:\\*["'])?|redis-cli\b[^\n|;&]{0,200}?[ \t]-a[ \t]{1,2}(?:\\*["'])?)(?P<s>[^\s"'`\\<>{}(),;\[\]]{8,512})"#,
        2.5,
        Proof::Bare,
    )
    .also(&[" -p", "\t-p", "\"-p", "'-p", " -a"]),
    // A long text is shown by its head: what was cut off a key leaves enough of it to be told.
    key(
        "cut-off-key",
        &["…", "[…]"],
        r"^^(?P<s>(?:sk-(?:ant|proj|or)-|gh[pousr]_|github_pat_|glpat-|xox[abeps]-|AKIA|ASIA|AIza|npm_|hf_|[sr]k_live_|SG\.|hvs\.|ey[A-Za-z0-9_-]{14,}\.)[A-Za-z0-9_.-]{6,}) ?(?:…|\[…\])",
    )
    .also(&[
        "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AKIA", "ASIA",
        "AIza", "npm_", "hf_", "k_live_", "SG.", "hvs.", "eyJ", "eyA",
    ]),
];
