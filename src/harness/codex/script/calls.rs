//! The tools that a script calls, in the order in which it would call them.

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::token::{self, ARROW, Token};
use super::value::{Code, Names};

/// How many calls are told of one script.
const MAX_CALLS: usize = 200;
/// How many elements of a list are gone through.
const MAX_ELEMENTS: usize = 64;
/// How deep functions and loops are followed.
const MAX_DEPTH: usize = 8;
/// How many tokens are looked at, repeats included.
const MAX_STEPS: usize = 400_000;

/// A call that a script makes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptCall {
    /// The tool.
    pub(super) name: String,
    /// What it is given, as far as it is made of literals.
    pub(super) argument: Option<Value>,
}

/// Finds the calls of a script.
pub(super) fn calls(script: &str) -> Vec<ScriptCall> {
    let code = Code { spots: token::tokens(script) };
    let mut walker =
        Walker { code: &code, found: Vec::new(), functions: FxHashMap::default(), steps: 0 };
    walker.walk(0, code.spots.len(), &mut Names::default(), 0);
    walker.found
}

/// A function of the script: where its parameters and its body stand.
#[derive(Clone, Copy, Debug)]
struct Function {
    params: (usize, usize),
    body: (usize, usize),
    /// The first token after it.
    after: usize,
}

struct Walker<'c> {
    code: &'c Code,
    found: Vec<ScriptCall>,
    functions: FxHashMap<String, Function>,
    steps: usize,
}

impl Walker<'_> {
    /// Goes through the tokens from `from` to `to`.
    fn walk(&mut self, from: usize, to: usize, names: &mut Names, depth: usize) {
        let mut at = from;
        while at < to && self.found.len() < MAX_CALLS && self.steps < MAX_STEPS {
            self.steps += 1;
            at = self.step(at, names, depth).max(at + 1);
        }
    }

    /// Looks at one token, and returns where to go on.
    fn step(&mut self, at: usize, names: &mut Names, depth: usize) -> usize {
        let Some(word) = self.code.word(at) else {
            return if self.code.is(at, '.') { self.each(at, names, depth) } else { at + 1 };
        };
        let is_field = at > 0 && self.code.is(at - 1, '.');
        match word {
            _ if is_field => at + 1,
            "const" | "let" | "var" => at + 1,
            "function" => self.define(at),
            "for" => self.loop_over(at, names, depth),
            "tools" => self.tool(at, names),
            _ if self.code.is(at + 1, '=') => self.assign(at, names),
            _ if self.code.is(at + 1, '(') && self.functions.contains_key(word) => {
                let function = self.functions[word];
                self.run(function, at + 2, names, depth);
                at + 1
            }
            _ if self.code.is(at + 1, '.') && self.code.word(at + 2) == Some("push") => {
                self.append(at, names)
            }
            _ => at + 1,
        }
    }

    fn assign(&mut self, at: usize, names: &mut Names) -> usize {
        let name = self.code.word(at).unwrap_or_default().to_owned();
        if let Some(function) = self.function(at + 2) {
            self.functions.insert(name, function);
            return function.after;
        }
        match self.code.value(at + 2, names) {
            Some(value) => names.insert(name, value),
            None => names.remove(&name),
        };
        at + 2
    }

    fn append(&mut self, at: usize, names: &mut Names) -> usize {
        let value = self.code.value(at + 4, names).unwrap_or_default();
        let name = self.code.word(at).unwrap_or_default();
        if let Some(Value::Array(list)) = names.get_mut(name) {
            list.push(value);
        }
        at + 3
    }

    /// `function name(params) { body }`
    fn define(&mut self, at: usize) -> usize {
        let Some(name) = self.code.word(at + 1).map(str::to_owned) else { return at + 1 };
        if !self.code.is(at + 2, '(') {
            return at + 1;
        }
        let end = self.code.close(at + 2);
        let function = Function {
            params: (at + 3, end),
            body: (end + 1, self.code.close(end + 1)),
            after: self.code.close(end + 1) + 1,
        };
        self.functions.insert(name, function);
        function.after
    }

    /// Reads `async (params) => body` or `param => body`.
    fn function(&self, at: usize) -> Option<Function> {
        let at = if self.code.word(at) == Some("async") { at + 1 } else { at };
        let (params, arrow) = if self.code.is(at, '(') {
            let end = self.code.close(at);
            ((at + 1, end), end + 1)
        } else {
            self.code.word(at)?;
            ((at, at + 1), at + 1)
        };
        if !self.code.is(arrow, ARROW) {
            return None;
        }
        let from = arrow + 1;
        let to = if self.code.is(from, '{') { self.code.close(from) } else { self.code.stop(from) };
        Some(Function { params, body: (from, to), after: to })
    }

    /// Runs a function with the arguments at `at`.
    fn run(&mut self, function: Function, at: usize, names: &Names, depth: usize) {
        let mut values = Vec::new();
        let mut next = at;
        let end = self.code.close(at - 1);
        while next < end {
            values.push(self.code.value(next, names));
            next = self.code.stop(next) + 1;
        }
        self.enter(function, &values, names, depth);
    }

    fn enter(&mut self, function: Function, values: &[Option<Value>], names: &Names, depth: usize) {
        if depth >= MAX_DEPTH {
            return;
        }
        let mut inner = names.clone();
        let mut values = values.iter();
        let mut at = function.params.0;
        while at < function.params.1 {
            let value = values.next().cloned().flatten();
            self.bind(at, value.as_ref(), &mut inner);
            at = self.code.stop(at) + 1;
        }
        self.walk(function.body.0, function.body.1, &mut inner, depth + 1);
    }

    /// Gives the names of one parameter their values: `a`, `[a, b]` or `{a, b: c}`.
    fn bind(&self, at: usize, value: Option<&Value>, names: &mut Names) {
        if let Some(name) = self.code.word(at) {
            match value {
                Some(value) => names.insert(name.to_owned(), value.clone()),
                None => names.remove(name),
            };
            return;
        }
        let is_list = self.code.is(at, '[');
        let (mut next, mut place, end) = (at + 1, 0, self.code.close(at));
        while next < end {
            let renamed = self.code.is(next + 1, ':');
            let key = self.code.word(next).unwrap_or_default();
            let inner =
                value.and_then(|value| if is_list { value.get(place) } else { value.get(key) });
            self.bind(if renamed { next + 2 } else { next }, inner, names);
            next = self.code.stop(next) + 1;
            place += 1;
        }
    }

    /// `for (const x of list) body`
    fn loop_over(&mut self, at: usize, names: &mut Names, depth: usize) -> usize {
        let open = if self.code.word(at + 1) == Some("await") { at + 2 } else { at + 1 };
        if !self.code.is(open, '(') {
            return at + 1;
        }
        let end = self.code.close(open);
        let param = open + 2;
        let close = if self.code.word(param).is_some() { param } else { self.code.close(param) };
        if self.code.word(close + 1) != Some("of") {
            return at + 1;
        }
        let is_block = self.code.is(end + 1, '{');
        let to = if is_block { self.code.close(end + 1) } else { self.code.stop(end + 1) };
        let body = (end + 1, to);
        let function = Function { params: (param, close + 1), body, after: to };
        let list = self.list(close + 2, names);
        self.repeat(function, list, names, depth);
        to
    }

    /// `list.map(x => body)`, and the like.
    fn each(&mut self, at: usize, names: &mut Names, depth: usize) -> usize {
        let is_each = matches!(self.code.word(at + 1), Some("map" | "forEach" | "flatMap"));
        if !is_each || !self.code.is(at + 2, '(') || at == 0 {
            return at + 1;
        }
        let by_name = self.code.word(at + 3).and_then(|name| self.functions.get(name)).copied();
        let Some(function) = self.function(at + 3).or(by_name) else { return at + 1 };
        let mut from = if self.code.is(at - 1, ']') || self.code.is(at - 1, ')') {
            self.code.open(at - 1)
        } else {
            at - 1
        };
        if self.code.is(from, '(') && from >= 3 && self.code.word(from - 3) == Some("Object") {
            from -= 3;
        }
        let list = self.list(from, names).or_else(|| self.prefix(from, names));
        self.repeat(function, list, names, depth);
        self.code.close(at + 2)
    }

    /// Reads the list at `at`.
    fn list(&self, at: usize, names: &Names) -> Option<Vec<Value>> {
        let is_entries = self.code.word(at) == Some("Object");
        if is_entries && self.code.word(at + 2) == Some("entries") {
            let Some(Value::Object(fields)) = self.code.value(at + 4, names) else { return None };
            let pair = |(key, value)| Value::Array(vec![Value::String(key), value]);
            return Some(fields.into_iter().map(pair).collect());
        }
        match self.code.value(at, names)? {
            Value::Array(list) => Some(list),
            _ => None,
        }
    }

    /// Reads a list that something follows: a name, or a literal in brackets.
    fn prefix(&self, at: usize, names: &Names) -> Option<Vec<Value>> {
        let to = match self.code.token(at)? {
            Token::Word(_) => at + 1,
            Token::Mark('[') => self.code.close(at) + 1,
            _ => return None,
        };
        let code = Code { spots: self.code.spots.get(at..to)?.to_vec() };
        match code.value(0, names)? {
            Value::Array(list) => Some(list),
            _ => None,
        }
    }

    /// Runs a function for each element; once, with nothing known, where the list is unknown.
    fn repeat(
        &mut self,
        function: Function,
        list: Option<Vec<Value>>,
        names: &Names,
        depth: usize,
    ) {
        let Some(list) = list else { return self.enter(function, &[None], names, depth) };
        for (place, value) in list.into_iter().take(MAX_ELEMENTS).enumerate() {
            let value = (!value.is_null()).then_some(value);
            self.enter(function, &[value, Some(Value::from(place))], names, depth);
        }
    }

    /// `tools.name(argument)`, `tools.server.name(argument)` or `tools["name"](argument)`
    fn tool(&mut self, at: usize, names: &Names) -> usize {
        let (mut name, mut open) = match self.code.token(at + 2) {
            Some(Token::Word(name)) if self.code.is(at + 1, '.') => (name.clone(), at + 3),
            Some(Token::Text(name)) if self.code.is(at + 1, '[') => (name.clone(), at + 4),
            _ => return at + 1,
        };
        while let Some(more) = self.code.word(open + 1).filter(|_| self.code.is(open, '.')) {
            name = format!("{name}.{more}");
            open += 2;
        }
        if self.code.is(open, '(') {
            let argument = self.code.value(open + 1, names);
            self.found.push(ScriptCall { name, argument });
        }
        open + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands of a script; what is not known is a question mark.
    fn commands(script: &str) -> Vec<String> {
        let command = |call: ScriptCall| {
            let argument = call.argument.unwrap_or_default();
            let text = argument["cmd"].as_str().or(argument.as_str()).map(str::to_owned);
            text.unwrap_or_else(|| "?".into())
        };
        calls(script).into_iter().map(command).collect()
    }

    #[test]
    fn literals_of_every_kind_are_read() {
        let script = r#"const r = await tools.exec_command({cmd:"a \"b\" \u0041\n", x: 1}); text(r.output);
            text(await tools.exec_command({"cmd": 'it\'s', workdir: "/w"}));
            await tools.exec_command({cmd: `c ${1 + 1} ${r.id} \`d\``}) // tools.exec_command({cmd:"no"})"#;
        assert_eq!(commands(script), ["a \"b\" A\n", "it's", "c ${1 + 1} ${r.id} `d`"]);
    }

    #[test]
    fn names_stand_for_what_they_were_given() {
        let script = r#"const cmd = "ls", dir = '/w'
            const more = cmd + " -l " + `${dir}/x`
            await tools.exec_command({cmd})
            await tools.exec_command({cmd: more})
            await tools.exec_command({cmd: await ask()})"#;
        assert_eq!(commands(script), ["ls", "ls -l /w/x", "?"]);
    }

    #[test]
    fn lists_are_gone_through() {
        let script = r#"const cmds = ["a", "b"]; const pairs = [["x", "c"], ["y", "d"]];
            await Promise.all(cmds.map(cmd => tools.exec_command({cmd})));
            await Promise.all(["e"].map(async (c) => { return await tools.exec_command({cmd: c}) }));
            for (const [name, cmd] of pairs) { text(name); await tools.exec_command({cmd}); }
            [{cmd: "f", dir: "/"}].forEach(({cmd: it}) => tools.exec_command({cmd: it}));
            Object.entries({k: "g"}).map(([k, v]) => tools.exec_command({cmd: `${k} ${v}`}));
            later.map(cmd => tools.exec_command({cmd}))"#;
        assert_eq!(commands(script), ["a", "b", "e", "c", "d", "f", "k g", "?"]);
    }

    #[test]
    fn functions_are_followed() {
        let script = r#"const run = async (cmd, dir = "/") => tools.exec_command({cmd, workdir: dir});
            function twice(a) { run(a); return run(a + "!"); }
            await run("a"); await twice("b"); ["c"].map(run);
            if (/[/]"/.test(x)) { const p = String.raw`\n*** Begin Patch`; tools.apply_patch(p) }"#;
        assert_eq!(commands(script), ["a", "b", "b!", "c", "\\n*** Begin Patch"]);
    }

    #[test]
    fn broken_scripts_end() {
        for script in ["tools.exec_command(", "`${", "\"\\u{", "for (const x of", "((((", "a => a("]
        {
            calls(script);
        }
        calls(&"[".repeat(50_000));
        calls("const f = () => { f(); f() }; f()");
    }
}
