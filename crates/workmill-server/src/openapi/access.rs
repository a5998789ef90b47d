//! Keys and namespaces.

use workmill_core::schema::{KeyId, NamespaceName};
use workmill_protocol::keys::{
    CreateKey, CreateNamespace, CreatedKey, CreatedNamespace, KeyList, NamespaceList, RotateKey,
};
use workmill_protocol::role::Permission::{Administer, Look, Operate};
use workmill_protocol::settings::NamespaceSettings;

use super::Group;
use super::call::Call;
use crate::routes::{keys, namespaces};

pub(super) fn group() -> Group {
    Group {
        name: "Keys and namespaces",
        description: "Made and ended by admins.",
        calls: vec![
            Call::post("/v1/keys", "create_key", "Make a key")
                .says("The token is shown this once.")
                .needs(Administer)
                .taking::<CreateKey>()
                .answering::<CreatedKey>(201, "The key and its token."),
            Call::get("/v1/keys", "list_keys", "List keys")
                .says("In the order they were made; those of all namespaces, unless one is named.")
                .needs(Administer)
                .asking::<keys::Page>()
                .answering::<KeyList>(200, "A page of keys."),
            Call::delete("/v1/keys/{id}", "revoke_key", "Revoke a key")
                .needs(Administer)
                .naming::<KeyId>("id", "The key.")
                .answering_nothing(204, "Nothing is answered to it any more."),
            Call::post(
                "/v1/keys/{id}/rotate",
                "rotate_key",
                "Give a key another token",
            )
            .says("The old one stays good for `grace_sec`.")
            .needs(Administer)
            .naming::<KeyId>("id", "The key.")
            .taking::<RotateKey>()
            .answering::<CreatedKey>(200, "The key and its new token."),
            Call::post("/v1/namespaces", "create_namespace", "Make a namespace")
                .needs(Administer)
                .taking::<CreateNamespace>()
                .answering::<CreatedNamespace>(201, "It is made.")
                .answering::<CreatedNamespace>(200, "It was there."),
            Call::get("/v1/namespaces", "list_namespaces", "List namespaces")
                .says("By name.")
                .needs(Administer)
                .asking::<namespaces::Page>()
                .answering::<NamespaceList>(200, "A page of namespaces."),
            Call::get(
                "/v1/namespaces/{name}/settings",
                "show_namespace_settings",
                "Show the settings of a namespace",
            )
            .says("Admins see those of any namespace.")
            .needs(Look)
            .naming::<NamespaceName>("name", "The namespace.")
            .answering::<NamespaceSettings>(200, "The settings."),
            Call::put(
                "/v1/namespaces/{name}/settings",
                "set_namespace_settings",
                "Set the settings of a namespace",
            )
            .says("What is not named is set to its default. Admins set those of any namespace.")
            .needs(Operate)
            .naming::<NamespaceName>("name", "The namespace.")
            .taking::<NamespaceSettings>()
            .answering::<NamespaceSettings>(200, "The settings."),
        ],
    }
}
