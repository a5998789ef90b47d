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
        description: "For admins.",
        calls: vec![
            Call::post("/v1/keys", "create_key", "Create a key")
                .says("The token is shown only in this answer.")
                .needs(Administer)
                .taking::<CreateKey>()
                .answering::<CreatedKey>(201, "The key and its token."),
            Call::get("/v1/keys", "list_keys", "List keys")
                .says("In the order of their creation; keys of all namespaces, or of `namespace`.")
                .needs(Administer)
                .asking::<keys::Page>()
                .answering::<KeyList>(200, "A page of keys."),
            Call::delete("/v1/keys/{id}", "revoke_key", "Revoke a key")
                .needs(Administer)
                .naming::<KeyId>("id", "The key.")
                .answering_nothing(204, "The key is revoked."),
            Call::post(
                "/v1/keys/{id}/rotate",
                "rotate_key",
                "Rotate the token of a key",
            )
            .says("The old token stays valid for `grace_sec`.")
            .needs(Administer)
            .naming::<KeyId>("id", "The key.")
            .taking::<RotateKey>()
            .answering::<CreatedKey>(200, "The key and its new token."),
            Call::post("/v1/namespaces", "create_namespace", "Create a namespace")
                .needs(Administer)
                .taking::<CreateNamespace>()
                .answering::<CreatedNamespace>(201, "The namespace was created.")
                .answering::<CreatedNamespace>(200, "The namespace existed already."),
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
            .says("Admins can read those of any namespace.")
            .needs(Look)
            .naming::<NamespaceName>("name", "The namespace.")
            .answering::<NamespaceSettings>(200, "The settings."),
            Call::put(
                "/v1/namespaces/{name}/settings",
                "set_namespace_settings",
                "Set the settings of a namespace",
            )
            .says("Absent values are set to their defaults. Admins can set those of any namespace.")
            .needs(Operate)
            .naming::<NamespaceName>("name", "The namespace.")
            .taking::<NamespaceSettings>()
            .answering::<NamespaceSettings>(200, "The settings."),
        ],
    }
}
