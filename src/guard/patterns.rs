//! What instructions look like that somebody hid in a text: one row a kind.
//!
//! The kinds are those that scanners of memories and prompts look for. How grave each is follows
//! from how often honest work says the same: people who build programs with models talk of
//! prompts, keys and settings all day.

use super::Severity::{self, Block, Quarantine, Warn};

/// One kind of hidden instruction.
pub(super) struct Pattern {
    /// Its name.
    pub(super) id: &'static str,
    /// How grave it is in a session.
    pub(super) severity: Severity,
    /// How grave it is in a memory, which every later session is told at its start.
    pub(super) in_memory: Severity,
    /// A text without one of these words is no such instruction; `@@` stands for the names of files
    /// that harnesses read at their start.
    pub(super) words: &'static [&'static str],
    /// Nor is one without one of these, if there are any.
    pub(super) also: &'static [&'static str],
    /// Compared with the text as `fold` gives it; letters of either case are the same, `^^`
    /// stands for up to eight words, `@@` for a file that a harness reads at its start.
    pub(super) pattern: &'static str,
}

const fn row(
    id: &'static str,
    severity: Severity,
    words: &'static [&'static str],
    pattern: &'static str,
) -> Pattern {
    Pattern { id, severity, in_memory: severity, words, also: &[], pattern }
}

impl Pattern {
    const fn in_memory(self, in_memory: Severity) -> Self {
        Self { in_memory, ..self }
    }

    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }
}

/// What sessions and memories are held to; the gravest first.
pub(super) const PATTERNS: &[Pattern] = &[
    row(
        "prompt_injection",
        Block,
        &["instruction", "prompts"],
        r"\b(?:ignore|forget|override|bypass)\s+(?:all\s+|any\s+|everything\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:previous|prior|above|preceding|earlier|foregoing)\s+^^(?:instructions|prompts)\b",
    )
    .also(&["ignore", "forget", "override", "bypass"]),
    row(
        "disregard_rules",
        Block,
        &["disregard"],
        r"\bdisregard\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+)?(?:previous\s+|prior\s+|above\s+|system\s+|safety\s+)?(?:instructions|rules|guidelines|prompts)\b",
    ),
    row("sys_prompt_override", Block, &["override"], r"\bsystem\s+prompt\s+override\b"),
    row(
        "bypass_restrictions",
        Block,
        &["act"],
        r"\bact\s+as\s+(?:if|though)\s+^^you\s+^^(?:have\s+no|don't\s+have)\s+^^(?:restrictions|limits|rules)\b",
    )
    .also(&["restrictions", "limits", "rules"]),
    row(
        "deception_hide",
        Block,
        &["user", "human"],
        r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|alert|reveal\s+^^to|mention\s+^^to)\s+the\s+(?:user|human)\b",
    )
    .also(&["tell", "inform", "alert", "reveal", "mention"]),
    row(
        "comment_injection",
        Quarantine,
        &["<!--"],
        r"<!--[^>]{0,512}\b(?:ignore\s+(?:all|any|previous|prior|the\s+above)|(?:hidden|secret|system)\s+(?:prompt|instructions?)|(?:assistant|agent|model|ai)s?\s+must)\b[^>]{0,512}-->",
    )
    .in_memory(Block),
    row(
        "translate_execute",
        Quarantine,
        &["translate"],
        r"\btranslate\s+[^\n]{0,256}\sinto\s+[^\n]{0,256}\sand\s+(?:execute|run|eval)\b",
    )
    .in_memory(Block),
    row(
        "remove_filters",
        Quarantine,
        &["without"],
        r"\b(?:respond|answer|reply)\s+without\s+^^(?:restrictions|limitations|filters|safety)\b",
    )
    .also(&["restrictions", "limitations", "filters", "safety"]),
    row(
        "reveal_prompt",
        Quarantine,
        &["prompt", "instructions"],
        r"\b(?:output|print|reveal|repeat|recite)\s+(?:all\s+of\s+)?your\s+^^(?:system|initial|hidden)\s+(?:prompt|instructions)\b",
    )
    .also(&["your"]),
    row(
        "send_secrets",
        Quarantine,
        &["http://", "https://"],
        r"\b(?:send|post|upload|transmit|forward|exfiltrate)\s+(?:\w+\s+){0,4}(?:conversation|transcript|chat\s+history|credentials?|api\s+keys?|secrets|passwords?|private\s+keys?|environment\s+variables|\.env)\b[^\n]{0,200}?\s(?:to|at)\s+\S{0,2}https?://",
    )
    .also(&["conversation", "transcript", "history", "credential", "api", "secrets", "password", "private", "variables", ".env"]),
    row(
        "ssh_backdoor",
        Quarantine,
        &["authorized_keys"],
        r"(?:>>?|\btee\s+(?:-a\s+)?|\b(?:append|add|write)\s+[^\n]{0,200}\bto\s+)[^\n]{0,60}authorized_keys",
    ),
    row(
        "forced_report",
        Quarantine,
        &["beacon"],
        r"\byou\s+must\s+(?:\w+\s+){0,3}beacon\b|\bbeacon\s+(?:back\s+)?to\s+(?:the\s+)?(?:c2|server|https?:)",
    ),
    row(
        "forced_report",
        Quarantine,
        &["connect"],
        r"\bconnect\s+to\s+(?:the\s+|our\s+)?c2\b",
    )
    .also(&["c2"]),
    row(
        "send_key",
        Warn,
        &["curl", "wget"],
        r"\b(?:curl|wget)\s+[^\n]{0,1024}\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)",
    )
    .in_memory(Quarantine),
    row(
        "read_secrets",
        Warn,
        &[".env", "credentials", ".netrc", ".pgpass", ".npmrc", ".pypirc"],
        r"\bcat\s+[^\n|;]{0,200}(?:\.env\b|/credentials\b|\.netrc|\.pgpass|\.npmrc|\.pypirc)",
    )
    .in_memory(Quarantine),
    row("role_hijack", Warn, &["you"], r"\byou\s+are\s+now\s+(?:a|an|the)\s+\w").also(&["now"]),
    row(
        "role_pretend",
        Warn,
        &["pretend"],
        r"\bpretend\s+(?:that\s+)?(?:you\s+are|you're|to\s+be)\s",
    ),
    row(
        "fake_update",
        Warn,
        &["updated", "upgraded", "patched"],
        r"\byou\s+have\s+been\s+^^(?:updated|upgraded|patched)\s+to\b",
    )
    .also(&["been"]),
    row("identity_override", Warn, &["yourself"], r"\bname\s+yourself\s+\w+"),
    row(
        "share_context",
        Warn,
        &["context", "conversation", "chat"],
        r"\b(?:output|print|share|leak)\s+(?:the\s+|your\s+)?(?:entire|full|whole)\s+(?:conversation|context|chat\s+history)\b",
    )
    .also(&["entire", "full", "whole"]),
    row(
        "hidden_element",
        Warn,
        &["display", "font-size"],
        r#"<\s*(?:div|span|p)\s[^>]{0,200}style\s*=\s*\\?["'][^>"']{0,200}(?:display\s*:\s*none|font-size\s*:\s*0)[^>]{0,200}>[^<]{0,400}\b(?:ignore|instructions?|you\s+must|prompt)\b"#,
    )
    .in_memory(Block),
    row(
        "remote_control",
        Warn,
        // Without what follows it stands in every other digest.
        &["c2 ", "c2\t", "c2\n", "c2\r", "c2\x0b", "c2\x0c"],
        r"\bc2\s+(?:server|channel|infrastructure|beacon)\b",
    )
    .also(&["server", "channel", "infrastructure", "beacon"]),
    row(
        "remote_control",
        Warn,
        &["command"],
        r"\bcommand\s+and\s+control\s+(?:server|channel)\b",
    )
    .also(&["control"]),
    row(
        "remote_control",
        Warn,
        &["cobalt", "metasploit", "tasking"],
        r"\b(?:cobalt\s*strike|metasploit)\b|\bpull\s+(?:down\s+)?(?:new\s+)?tasking\b",
    ),
    row("remote_control", Warn, &["register"], r"\bregister\s+as\s+a\s+node\b").also(&["node"]),
    row(
        "unset_agent",
        Warn,
        &["unset"],
        r"\bunset\s+\w*(?:AGENT|ANTHROPIC|OPENAI|GEMINI|CLAUDE|CODEX)\w*",
    ),
    row(
        "ssh_access",
        Warn,
        &["/.ssh"],
        r"(?:\$HOME|~|/root|/home/\w+)/\.ssh/(?:id_|authorized_keys|config)",
    )
    .in_memory(Quarantine),
    row(
        "agent_config_mod",
        Warn,
        &["@@", "cursorrules", "clinerules", "windsurfrules"],
        r"\b(?:update|modify|edit|overwrite|append\s+to|add\s+to)\s+[^\n]{0,60}(?:\b@@|\.(?:cursor|cline|windsurf)rules)",
    ),
    row(
        "model_token",
        Warn,
        &["<|", "INST]", "SYS>>"],
        r"<\|(?:im_start|im_end|endoftext|start_header_id|end_header_id|eot_id|system|user|assistant)\|>|\[/?INST\]|<</?SYS>>",
    ),
];

/// What only memories are held to besides, often a wider form of the kind of the same name: a session
/// has too much honest talk that says the same.
pub(super) const MEMORY_PATTERNS: &[Pattern] = &[
    row(
        "prompt_injection",
        Block,
        &["instructions"],
        r"\bignore\s+^^(?:previous|all|above|prior)\s+^^instructions\b",
    ),
    row(
        "disregard_rules",
        Block,
        &["disregard"],
        r"\bdisregard\s+^^(?:your|all|any)\s+^^(?:instructions|rules|guidelines)\b",
    ),
    row("deception_hide", Block, &["tell"], r"\bdo\s+not\s+^^tell\s+^^the\s+user\b"),
    row(
        "comment_injection",
        Block,
        &["<!--"],
        // What follows a hyphen is the setting of a tool, such as `prettier-ignore`.
        r"<!--(?:[^>]{0,512}[^>\w-])?(?:ignore|override|system|secret|hidden)[^>]{0,512}-->",
    ),
    row(
        "hidden_element",
        Block,
        &["display"],
        r#"<\s*(?:div|span|p)\s+style\s*=\s*\\?["'][^>]{0,1024}display\s*:\s*none"#,
    ),
    row(
        "send_key",
        Quarantine,
        &["curl", "wget"],
        r"(?:curl|wget)\s+[^\n]{0,1024}\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)",
    ),
    row(
        "read_secrets",
        Quarantine,
        &[".env", "credentials", ".netrc", ".pgpass", ".npmrc", ".pypirc"],
        r"\bcat\s+[^\n]{0,1024}(?:\.env\b|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)",
    ),
    row(
        "send_to_url",
        Quarantine,
        &["http://", "https://"],
        r"\b(?:send|post|upload|transmit)\s+(?:[^\n]{0,1024}\s)?(?:to|at)\s+https?://",
    ),
    row(
        "share_context",
        Quarantine,
        &["context", "conversation", "chat", "previous"],
        r"\b(?:include|output|print|share)\s+^^(?:conversation|chat\s+history|previous\s+messages|(?:full|entire)\s+context)\b",
    ),
    row("ssh_backdoor", Quarantine, &["authorized_keys"], r"authorized_keys"),
    row("ssh_access", Quarantine, &["/.ssh"], r"(?:\$\{?HOME\}?|~)/\.ssh\b"),
    row("home_env", Quarantine, &["/.env"], r"(?:\$\{?HOME\}?|~)/\.[\w-]+/\.env\b"),
    row(
        "soul_mod",
        Quarantine,
        &[".hermes/"],
        r"\b(?:update|modify|edit|write|change|append|add\s+to)\s+[^\n]{0,1024}\.hermes/(?:config\.yaml|SOUL\.md)",
    ),
    row("role_hijack", Warn, &["you"], r"\byou\s+are\s+^^now\s+(?:a|an|the)\s"),
    row("role_pretend", Warn, &["pretend"], r"\bpretend\s+^^(?:you\s+are|to\s+be)\s"),
    row("reveal_prompt", Warn, &["prompt"], r"\boutput\s+^^(?:system|initial)\s+prompt"),
    row("node_registration", Warn, &["register"], r"\bregister\s+(?:as\s+)?(?:a\s+)?node\b"),
    row(
        "heartbeat",
        Warn,
        &["heartbeat", "beacon", "check"],
        r"\b(?:heartbeat|beacon|check[\s-]?in)\s+(?:to|with)\s",
    ),
    row("task_pull", Warn, &["pull"], r"\bpull\s+(?:down\s+)?(?:new\s+)?task(?:ing|s)?\b"),
    row("join_network", Warn, &["network"], r"\bconnect\s+to\s+the\s+network\b"),
    row(
        "forced_report",
        Warn,
        &["must"],
        r"\byou\s+must\s+(?:\w+\s+){0,3}(?:register|connect|report|beacon)\b",
    ),
    row("only_one_liners", Warn, &["liner"], r"\bonly\s+use\s+one[\s-]?liners?\b"),
    row(
        "never_on_disk",
        Warn,
        &["never"],
        r"\bnever\s+^^(?:create|write)\s+^^(?:script|file)s?\s+^^disk\b",
    ),
    row("unset_agent", Warn, &["unset"], r"\bunset\s+\w*HERMES\w*"),
    row(
        "attack_framework",
        Warn,
        &["cobalt", "sliver", "havoc", "mythic", "metasploit", "brainworm"],
        r"\b(?:cobalt\s*strike|sliver|havoc|mythic|metasploit|brainworm)\b",
    ),
    row(
        "remote_control",
        Warn,
        &["command", "c2"],
        r"\bcommand\s+and\s+control\b|\bc2\s+(?:server|channel|infrastructure|beacon)\b",
    ),
    row(
        "agent_config_mod",
        Warn,
        &["@@", "cursorrules", "clinerules"],
        r"\b(?:update|modify|edit|write|change|append|add\s+to)\s+[^\n]{0,1024}(?:\b@@|\.(?:cursor|cline)rules)",
    ),
    // A secret is taken out; what is left hides nothing.
    row(
        "hardcoded_secret",
        Warn,
        &["key", "token", "secret", "password"],
        r#"(?:api[_-]?key|token|secret|password)\s*[=:]\s*["'][A-Za-z0-9+/=_-]{20,}"#,
    ),
];
