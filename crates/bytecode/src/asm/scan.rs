//! A position in one line of text.

use super::AsmError;

#[derive(Clone)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
    pub(super) line: usize,
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, line: usize) -> Self {
        Scan { text, at: 0, line }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Column of the position in characters, from 1.
    pub(super) fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    #[cold]
    pub(super) fn error(&self, message: impl Into<String>) -> AsmError {
        AsmError::new(self.line, self.column(), message)
    }

    /// An error that says what was expected and what stands here.
    #[cold]
    pub(super) fn expected(&self, what: &str) -> AsmError {
        let rest = self.rest().trim();
        let end = rest.find(',').map_or(rest.len(), |comma| comma.max(1));
        let found: String = match &rest[..end] {
            "" => "the end of the line".to_owned(),
            text => format!("`{}`", text.trim_end().chars().take(40).collect::<String>()),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    pub(super) fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Whether nothing but a comment follows.
    pub(super) fn at_end(&self) -> bool {
        let rest = self.rest().trim_start();
        rest.is_empty() || rest.starts_with(';') || rest.starts_with("//")
    }

    /// Whether nothing follows, not even a comment.
    pub(super) fn at_line_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    pub(super) fn expect_end(&mut self) -> Result<(), AsmError> {
        self.space();
        match self.at_end() {
            true => Ok(()),
            false => Err(self.expected("the end of the line")),
        }
    }

    /// Takes `text` if it comes next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes a comma with space around it if one comes next.
    pub(super) fn comma(&mut self) -> bool {
        let mut ahead = self.clone();
        ahead.space();
        let found = ahead.take(",");
        if found {
            ahead.space();
            *self = ahead;
        }
        found
    }

    pub(super) fn expect_comma(&mut self) -> Result<(), AsmError> {
        match self.comma() {
            true => Ok(()),
            false => {
                self.space();
                Err(self.expected("a comma"))
            }
        }
    }

    /// The longest run of letters, digits, underscores and what `also` allows.
    pub(super) fn word_with(&mut self, also: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !in_word(c) && !also(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn word(&mut self) -> &'a str {
        self.word_with(|_| false)
    }

    /// The longest run of letters and digits.
    pub(super) fn part(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes the word `wanted`, in any case, if it comes next.
    pub(super) fn take_word(&mut self, wanted: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead.word().eq_ignore_ascii_case(wanted);
        if found {
            *self = ahead;
        }
        found
    }

    /// An unsigned decimal or 0x number, if one comes next.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut ahead = self.clone();
        let value = unsigned(ahead.part())?;
        *self = ahead;
        Some(value)
    }

    /// A 32-bit word in hexadecimal or decimal.
    pub(super) fn word_bits(&mut self) -> Result<u32, AsmError> {
        let start = self.clone();
        self.number()
            .and_then(|value| u32::try_from(value).ok())
            .ok_or_else(|| start.expected("a 32-bit word, such as 0x0000ffff"))
    }

    /// The text up to the next comma, comment or end of line.
    pub(super) fn value(&mut self) -> &'a str {
        let rest = self.rest();
        let comment = rest.find("//").unwrap_or(rest.len());
        let end = rest.find([',', ';']).unwrap_or(rest.len()).min(comment);
        self.at += end;
        rest[..end].trim()
    }
}

/// An unsigned number in decimal or, after `0x`, hexadecimal.
pub(super) fn unsigned(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok()
}
