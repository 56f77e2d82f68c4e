//! No two public types share a name without a reason, and no documented public signature contains a
//! type of a crate whose new versions would force new versions of this one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{
    Attribute, Field, Fields, Ident, ImplItem, Item, ReturnType, Signature, TraitItem, UseTree, Visibility,
};

use crate::layers::source_texts;

/// Names that several public types share, with the reason.
const SHARED_NAMES: &[(&str, &str)] = &[("Cell", PER_GAME), ("IllegalMove", PER_GAME), ("Move", PER_GAME)];

/// Each game names its types in its own module, and generic code sees only the trait.
const PER_GAME: &str = "each game has its own, an associated type or a part of one";

/// Crates whose types must not occur in public signatures: their breaking releases would break this
/// library.
const FOREIGN_CRATES: [&str; 2] = ["rand", "serde_json"];

/// Returns every source file, parsed.
fn parse_sources() -> Vec<(PathBuf, syn::File)> {
    let parse = |(path, text): (PathBuf, String)| {
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, file)
    };
    source_texts().into_iter().map(parse).collect()
}

/// Reports whether an item is public. The lint `unreachable_pub` ensures that public items are
/// reachable.
fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the names of the public types among these items.
fn public_types(items: &[Item]) -> Vec<&Ident> {
    let mut names = Vec::new();
    for item in items {
        let (visibility, name) = match item {
            Item::Struct(item) => (&item.vis, &item.ident),
            Item::Enum(item) => (&item.vis, &item.ident),
            Item::Union(item) => (&item.vis, &item.ident),
            Item::Trait(item) => (&item.vis, &item.ident),
            Item::Type(item) => (&item.vis, &item.ident),
            Item::Mod(item) => {
                names.extend(item.content.iter().flat_map(|(_, items)| public_types(items)));
                continue;
            }
            _ => continue,
        };
        if is_public(visibility) {
            names.push(name);
        }
    }
    names
}

#[test]
fn no_two_public_types_share_a_name_without_a_reason() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, file) in parse_sources() {
        for name in public_types(&file.items) {
            files.entry(name.to_string()).or_default().push(path.display().to_string());
        }
    }
    assert!(files.len() > 300, "the types were not found: {}", files.len());
    files.retain(|_, files| files.len() > 1);
    let listed: BTreeSet<&str> = SHARED_NAMES.iter().map(|&(name, _)| name).collect();
    let shared: BTreeSet<&str> = files.keys().map(String::as_str).collect();
    let unlisted: Vec<String> =
        shared.difference(&listed).map(|&name| format!("{name}: {}", files[name].join(", "))).collect();
    assert!(unlisted.is_empty(), "{} names are shared:\n{}", unlisted.len(), unlisted.join("\n"));
    let idle: Vec<_> = listed.difference(&shared).collect();
    assert!(idle.is_empty(), "these names are not shared any more: {idle:?}");
}

/// Reports whether these attributes hide an item from the documentation.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("doc")
            && attribute.parse_args::<Ident>().is_ok_and(|argument| argument == "hidden")
    })
}

/// Returns the modules that a file hides from the documentation, as paths relative to `src` without
/// an extension.
fn hidden_modules(file: &Path, items: &[Item]) -> Vec<PathBuf> {
    let folder = if file.ends_with("mod") || file.ends_with("lib") { file.parent().unwrap() } else { file };
    let hidden = |item: &Item| match item {
        Item::Mod(item) if is_hidden(&item.attrs) => Some(folder.join(item.ident.to_string())),
        _ => None,
    };
    items.iter().filter_map(hidden).collect()
}

/// Collects the public signatures of a file that contain foreign types.
#[derive(Default)]
struct ForeignTypes {
    imported: BTreeSet<String>,
    signature: String,
    signatures: Vec<String>,
}

impl ForeignTypes {
    /// Collects the names that a `use` of a foreign crate imports.
    fn import(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree)),
            UseTree::Name(name) => _ = self.imported.insert(name.ident.to_string()),
            UseTree::Rename(name) => _ = self.imported.insert(name.rename.to_string()),
            UseTree::Glob(_) => panic!("a glob of a foreign crate"),
        }
    }

    fn check_fn(&mut self, signature: &Signature) {
        self.signature = signature.ident.to_string();
        self.visit_generics(&signature.generics);
        for input in &signature.inputs {
            self.visit_fn_arg(input);
        }
        if let ReturnType::Type(_, output) = &signature.output {
            self.visit_type(output);
        }
    }

    fn check_fields(&mut self, fields: &Fields, are_public: bool) {
        let is_shown = |field: &&Field| (are_public || is_public(&field.vis)) && !is_hidden(&field.attrs);
        for field in fields.iter().filter(is_shown) {
            self.visit_type(&field.ty);
        }
    }

    fn check(&mut self, items: &[Item]) {
        for item in items {
            if let Item::Use(item) = item
                && let UseTree::Path(path) = &item.tree
                && FOREIGN_CRATES.iter().any(|name| path.ident == name)
            {
                self.import(&path.tree);
            }
        }
        for item in items {
            match item {
                Item::Fn(item) if is_public(&item.vis) => self.check_fn(&item.sig),
                Item::Struct(item) if is_public(&item.vis) => {
                    self.signature = item.ident.to_string();
                    self.check_fields(&item.fields, false);
                }
                Item::Enum(item) if is_public(&item.vis) => {
                    self.signature = item.ident.to_string();
                    item.variants.iter().for_each(|variant| self.check_fields(&variant.fields, true));
                }
                Item::Type(item) if is_public(&item.vis) => {
                    self.signature = item.ident.to_string();
                    self.visit_type(&item.ty);
                }
                Item::Trait(item) if is_public(&item.vis) => {
                    for item in &item.items {
                        if let TraitItem::Fn(function) = item {
                            self.check_fn(&function.sig);
                        }
                    }
                }
                Item::Impl(item) if item.trait_.is_none() => {
                    for item in &item.items {
                        if let ImplItem::Fn(function) = item
                            && is_public(&function.vis)
                        {
                            self.check_fn(&function.sig);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

impl Visit<'_> for ForeignTypes {
    fn visit_path(&mut self, path: &syn::Path) {
        let first = path.segments[0].ident.to_string();
        if FOREIGN_CRATES.contains(&&*first) || self.imported.contains(&first) {
            self.signatures.push(self.signature.clone());
        }
        syn::visit::visit_path(self, path);
    }
}

#[test]
fn public_signatures_hold_no_types_of_rand_or_serde_json() {
    let sources = parse_sources();
    let hidden: Vec<PathBuf> = sources
        .iter()
        .flat_map(|(path, file)| hidden_modules(&path.with_extension(""), &file.items))
        .collect();
    assert!(hidden.contains(&PathBuf::from("ui")), "the hidden modules were not found: {hidden:?}");
    let mut violations = Vec::new();
    for (path, file) in sources {
        if hidden.iter().any(|module| path.with_extension("").starts_with(module)) {
            continue;
        }
        let mut types = ForeignTypes::default();
        types.check(&file.items);
        violations.extend(types.signatures.iter().map(|name| format!("{}: {name}", path.display())));
    }
    assert!(violations.is_empty(), "{} signatures:\n{}", violations.len(), violations.join("\n"));
}

#[test]
fn foreign_types_in_signatures_are_detected() {
    let code = "use rand::{Rng, rngs::Mine as Other}; use std::fmt::Debug;
        pub fn one(a: impl Rng) {} pub fn two() -> Vec<serde_json::Value> {} fn three(a: Other) {}
        pub struct Four { pub a: Other, b: Other } pub fn five<T: Debug>(a: T) {}
        impl Four { pub fn six(&self, a: &mut Other) {} fn seven(a: Other) {} } pub trait Eight { fn nine(a: Other); }
        pub(crate) fn ten(a: Other) {} pub enum Eleven { A(Other) } pub type Twelve = Option<Other>;";
    let mut types = ForeignTypes::default();
    types.check(&syn::parse_file(code).unwrap().items);
    types.signatures.sort();
    assert_eq!(types.signatures, ["Eleven", "Four", "Twelve", "nine", "one", "six", "two"]);
}
