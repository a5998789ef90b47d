//! What can be said about a database without telling its password.

use sha2::{Digest, Sha256};

/// Host, port and name, for people and for telling databases apart.
pub(crate) fn address(url: &str) -> String {
    match url.split_once("://") {
        Some((_, rest)) => of_url(rest),
        None => of_pairs(url),
    }
}

/// A short name for files that belong to this database.
pub(crate) fn fingerprint(url: &str) -> String {
    short_hash(&address(url))
}

/// Sixteen letters that stand for a text in the name of a file.
pub(crate) fn short_hash(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let (first, _) = hash
        .split_first_chunk()
        .expect("the hash is longer than eight bytes");
    format!("{:016x}", u64::from_be_bytes(*first))
}

fn of_url(rest: &str) -> String {
    // Whatever stands before an `@` may be part of a password, a `?` among it.
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    let (place, options) = rest.split_once('?').unwrap_or((rest, ""));
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    let of_options = options
        .split('&')
        .filter(|option| is_about_the_place(option.split('=').next().unwrap_or_default()));
    std::iter::once(place)
        .chain(of_options)
        .collect::<Vec<_>>()
        .join(" ")
}

fn of_pairs(text: &str) -> String {
    let mut kept = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, remainder) = value(after.trim_start());
        if is_about_the_place(name.trim()) {
            kept.push(format!("{}={value}", name.trim()));
        }
        rest = remainder.trim_start();
    }
    kept.join(" ")
}

/// The value at the start, and what follows it. In quotes a backslash takes the next letter as it is.
fn value(text: &str) -> (String, &str) {
    let quoted = text.starts_with('\'');
    let mut value = String::new();
    let mut letters = text.char_indices().skip(usize::from(quoted));
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '\'' if quoted => return (value, &text[at + 1..]),
            _ if !quoted && letter.is_whitespace() => return (value, &text[at..]),
            _ => value.push(letter),
        }
    }
    (value, "")
}

fn is_about_the_place(name: &str) -> bool {
    matches!(name, "host" | "hostaddr" | "port" | "dbname")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_never_holds_a_password() {
        for (url, expected) in [
            ("postgres://u:p@h:5432/db", "h:5432/db"),
            (
                "postgresql://u:p%40@a,b:1/db?sslmode=disable&host=/run",
                "a,b:1/db host=/run",
            ),
            ("postgres://u:p@w@h/db?password=secret", "h/db"),
            ("postgres://u:p?q/r@h/db", "h/db"),
            ("host=h password='a b=c' dbname=d user=u", "host=h dbname=d"),
            (r"password='it\'s' host = '/a b' port=1", "host=/a b port=1"),
            ("postgres:///db", "/db"),
        ] {
            assert_eq!(address(url), expected, "{url}");
        }
    }
}
