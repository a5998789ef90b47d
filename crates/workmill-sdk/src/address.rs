//! Whether an address is this machine's own.

/// True for loopback addresses: no proxy leads there, and a key sent there stays here.
pub fn is_on_this_machine(url: &str) -> bool {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = after_scheme
        .split(['/', '?', '#'])
        .next()
        .unwrap_or_default();
    if authority.contains('@') || authority.contains('\\') {
        return false;
    }
    let host = match authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some((host, _)) => host,
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost"
        || host
            .parse()
            .is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine() {
        for here in [
            "http://127.0.0.1:7070",
            "http://localhost/x",
            "http://[::1]:1",
            "https://127.9.9.9",
        ] {
            assert!(is_on_this_machine(here), "{here}");
        }
        for elsewhere in [
            "http://example.org",
            "http://127.0.0.1@example.org",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org:7070",
            "http://example.org/127.0.0.1",
            "http://example.org\\@localhost",
        ] {
            assert!(!is_on_this_machine(elsewhere), "{elsewhere}");
        }
    }
}
