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

/// A connection string for the programs of PostgreSQL, whose arguments everybody can see, and the
/// password apart from it. `None`: the two cannot be told apart.
pub(crate) fn without_password(url: &str) -> Option<(String, Option<String>)> {
    match url.split_once("://") {
        Some((scheme, rest)) => url_without_password(scheme, rest),
        None => Some(pairs_without_password(url)),
    }
}

fn url_without_password(scheme: &str, rest: &str) -> Option<(String, Option<String>)> {
    let (place, options) = rest.split_once('?').unwrap_or((rest, ""));
    let (user, place) = place.split_once('@').unwrap_or(("", place));
    // A password with one of these must be percent-encoded.
    if place.contains('@') || user.contains('/') || options.contains('@') {
        return None;
    }
    let (user, of_user) = match user.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (user, None),
    };
    let is_password = |option: &&str| option.starts_with("password=");
    let of_options = options.split('&').find(is_password);
    let of_options = of_options.and_then(|option| option.strip_prefix("password="));
    let options: Vec<&str> = options
        .split('&')
        .filter(|option| !is_password(option))
        .collect();
    let options = match options.join("&").as_str() {
        "" => String::new(),
        options => format!("?{options}"),
    };
    let user = match user {
        "" => String::new(),
        user => format!("{user}@"),
    };
    let password = of_options.or(of_user).map(decoded);
    Some((format!("{scheme}://{user}{place}{options}"), password))
}

fn pairs_without_password(text: &str) -> (String, Option<String>) {
    let (passwords, rest): (Vec<_>, Vec<_>) = pairs(text)
        .into_iter()
        .partition(|(name, _)| name == "password");
    let quoted = |value: &str| value.replace('\\', r"\\").replace('\'', r"\'");
    let rest = rest
        .iter()
        .map(|(name, value)| format!("{name}='{}'", quoted(value)));
    let password = passwords.into_iter().map(|(_, value)| value).next_back();
    (rest.collect::<Vec<_>>().join(" "), password)
}

/// What percent signs stand for.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let number = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let number = number.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = number.filter(|_| first == b'%') {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
    let pairs = pairs(text).into_iter();
    let kept = pairs.filter(|(name, _)| is_about_the_place(name));
    let kept = kept.map(|(name, value)| format!("{name}={value}"));
    kept.collect::<Vec<_>>().join(" ")
}

fn pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, remainder) = value(after.trim_start());
        pairs.push((name.trim().to_owned(), value));
        rest = remainder.trim_start();
    }
    pairs
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
    fn the_password_is_taken_out_of_what_programs_are_called_with() {
        for (url, text, password) in [
            (
                "postgres://u:p%40w@h:5432/db",
                "postgres://u@h:5432/db",
                Some("p@w"),
            ),
            (
                "postgresql://u@a,b:1/db?sslmode=disable&password=s",
                "postgresql://u@a,b:1/db?sslmode=disable",
                Some("s"),
            ),
            ("postgres://h/db", "postgres://h/db", None),
            (
                r"host='/run/it\'s' password='a b=c' dbname=d",
                r"host='/run/it\'s' dbname='d'",
                Some("a b=c"),
            ),
        ] {
            let expected = (text.to_owned(), password.map(str::to_owned));
            assert_eq!(without_password(url), Some(expected), "{url}");
        }
        for unclear in [
            "postgres://u:p@w@h/db",
            "postgres://u:p/q@h/db",
            "postgres://u:p?q@h/db",
        ] {
            assert_eq!(without_password(unclear), None, "{unclear}");
        }
    }

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
