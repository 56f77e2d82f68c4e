//! Finds the imports between source files, with the parser that procedural macros use.
//!
//! A path counts wherever it occurs: in `use` trees of any shape, in expressions, types and
//! patterns, and in the tokens of macro calls. It is followed through re-exports to the file that
//! defines its item. A re-export (`pub use`) does not count as a use of its item.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::buffer::{Cursor, TokenBuffer};
use syn::visit::Visit;
use syn::{Item, UseTree, Visibility};

/// Path of a module within the crate; empty for the crate root.
type Module = Vec<String>;

/// A source file and its module.
struct Source {
    path: PathBuf,
    module: Module,
    syntax: syn::File,
}

/// A parsed crate: its source files and the names in each module.
pub(crate) struct Crate {
    sources: Vec<Source>,
    modules: BTreeMap<Module, ModuleNames>,
}

/// Names that a module defines or imports.
#[derive(Default)]
struct ModuleNames {
    /// Index of the file that contains the module.
    file: usize,
    items: BTreeSet<String>,
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

/// Use of an item of another file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Import {
    /// File that uses the item, relative to `src`.
    pub(crate) from: PathBuf,
    /// File that defines the item.
    pub(crate) to: PathBuf,
    /// `true` if the item is only re-exported (`pub use`).
    pub(crate) is_reexport: bool,
}

/// Path in a source file, resolved from the crate root.
struct PathUse {
    target: Vec<String>,
    is_reexport: bool,
}

impl Crate {
    /// Parses the files of a crate, given as paths relative to `src` and texts.
    pub(crate) fn parse(files: impl IntoIterator<Item = (PathBuf, String)>) -> Self {
        let parse = |(path, text): (PathBuf, String)| {
            let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Source { module: module_of(&path), path, syntax }
        };
        let sources: Vec<Source> = files.into_iter().map(parse).collect();
        let mut modules = BTreeMap::new();
        for (file, source) in sources.iter().enumerate() {
            collect_names(&mut modules, file, &source.module, &source.syntax.items);
        }
        Crate { sources, modules }
    }

    /// Lists all imports between two different files.
    pub(crate) fn imports(&self) -> BTreeSet<Import> {
        let mut imports = BTreeSet::new();
        for (file, source) in self.sources.iter().enumerate() {
            let mut collector = PathCollector {
                modules: &self.modules,
                module: source.module.clone(),
                path_uses: Vec::new(),
            };
            collector.visit_file(&source.syntax);
            for PathUse { target, is_reexport } in collector.path_uses {
                let Some(to) = self.defining_file(&target).filter(|&to| to != file) else { continue };
                let to = self.sources[to].path.clone();
                imports.insert(Import { from: source.path.clone(), to, is_reexport });
            }
        }
        imports
    }

    /// Follows a path to the file that defines its item.
    fn defining_file(&self, path: &[String]) -> Option<usize> {
        let mut seen = BTreeSet::new();
        self.follow(path, &mut seen)
    }

    fn follow(&self, path: &[String], seen: &mut BTreeSet<Vec<String>>) -> Option<usize> {
        if !seen.insert(path.to_vec()) {
            return None;
        }
        let mut module = Module::new();
        for (i, name) in path.iter().enumerate() {
            module.push(name.clone());
            if self.modules.contains_key(&module) {
                continue;
            }
            module.pop();
            let names = &self.modules[&module];
            if names.items.contains(name) {
                return Some(names.file);
            }
            let rest = &path[i + 1..];
            if let Some(target) = names.imports.get(name) {
                return self.follow(&[target, rest].concat(), seen);
            }
            let mut through = |glob: &Vec<String>| {
                let target = [&glob[..], &path[i..]].concat();
                self.names_item(&target, glob.len()).then(|| self.follow(&target, seen)).flatten()
            };
            return names.globs.iter().find_map(&mut through);
        }
        self.modules.get(&module).map(|names| names.file)
    }

    /// Reports whether the module made of the first `length` names of a path has a name for the
    /// next one.
    fn names_item(&self, path: &[String], length: usize) -> bool {
        let Some(names) = self.modules.get(&path[..length]) else { return false };
        let name = &path[length];
        names.items.contains(name)
            || names.imports.contains_key(name)
            || self.modules.contains_key(&path[..=length])
    }
}

/// Returns the groups of two or more files that import each other in a cycle. Re-exports do not
/// count, nor do imports by a module from its own children, which may use what the module defines.
pub(crate) fn import_cycles(imports: &BTreeSet<Import>) -> BTreeSet<BTreeSet<&Path>> {
    let mut used: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    let is_face = |import: &&Import| module_of(&import.to).starts_with(&module_of(&import.from));
    for import in imports.iter().filter(|import| !import.is_reexport && !is_face(import)) {
        used.entry(&import.from).or_default().insert(&import.to);
    }
    let reached: BTreeMap<&Path, BTreeSet<&Path>> =
        used.keys().map(|&file| (file, reachable_files(&used, file))).collect();
    let is_between = |one: &Path, other: &Path| reached.get(one).is_some_and(|files| files.contains(other));
    let mut rings = BTreeSet::new();
    for &file in used.keys() {
        let back = used.keys().copied().filter(|&other| is_between(file, other) && is_between(other, file));
        rings.insert(back.collect::<BTreeSet<&Path>>());
    }
    rings.retain(|ring| !ring.is_empty());
    rings
}

/// Returns the files that a file uses, directly or through others.
fn reachable_files<'a>(used: &BTreeMap<&'a Path, BTreeSet<&'a Path>>, file: &'a Path) -> BTreeSet<&'a Path> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(file) = open.pop() {
        open.extend(used.get(file).into_iter().flatten().filter(|next| reached.insert(**next)));
    }
    reached
}

/// Returns the top-level module of a file: the first part of its path relative to `src`.
pub(crate) fn top_module_of(path: &Path) -> String {
    path.with_extension("").iter().next().unwrap().to_str().unwrap().to_owned()
}

/// Returns the module of a file, given relative to `src`.
fn module_of(path: &Path) -> Module {
    let mut module: Module =
        path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|name| name == "mod") || module == ["lib"] {
        module.pop();
    }
    module
}

fn collect_names(modules: &mut BTreeMap<Module, ModuleNames>, file: usize, module: &Module, items: &[Item]) {
    let mut names = ModuleNames { file, ..ModuleNames::default() };
    for item in items {
        match item {
            Item::Mod(inner) => {
                if let Some((_, items)) = &inner.content {
                    let inner = [&module[..], &[inner.ident.to_string()]].concat();
                    collect_names(modules, file, &inner, items);
                }
            }
            Item::Use(item) => {
                let mut leaves = Vec::new();
                collect_leaves(&item.tree, &mut Vec::new(), &mut leaves);
                for (path, name) in leaves {
                    let Some(path) = resolve_path(module, &path) else { continue };
                    match name {
                        Some(name) => drop(names.imports.insert(name, path)),
                        None => names.globs.push(path),
                    }
                }
            }
            other => names.items.extend(name_of(other)),
        }
    }
    modules.insert(module.clone(), names);
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::TraitAlias(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// Collects every path of a `use` tree with the name that it binds; a glob binds none.
fn collect_leaves(tree: &UseTree, path: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, Option<String>)>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            collect_leaves(&part.tree, path, leaves);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => leaves.push((path.clone(), path.last().cloned())),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            leaves.push(([&path[..], std::slice::from_ref(&name)].concat(), Some(name)));
        }
        UseTree::Rename(name) => {
            let whole = if name.ident == "self" {
                path.clone()
            } else {
                [&path[..], &[name.ident.to_string()]].concat()
            };
            leaves.push((whole, Some(name.rename.to_string())));
        }
        UseTree::Glob(_) => leaves.push((path.clone(), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect_leaves(tree, path, leaves)),
    }
}

/// Returns a path resolved from the crate root, or `None` if it leaves the crate. The first name of
/// a bare path is taken for a child of the module: [`Crate::defining_file`] finds nothing there if
/// it is another crate.
fn resolve_path(module: &Module, path: &[String]) -> Option<Vec<String>> {
    let (mut base, mut rest) = (module.clone(), path);
    match path.first()?.as_str() {
        "crate" => (base, rest) = (Module::new(), &path[1..]),
        "self" => rest = &path[1..],
        _ => {}
    }
    while rest.first().is_some_and(|name| name == "super") {
        base.pop()?;
        rest = &rest[1..];
    }
    Some([&base[..], rest].concat())
}

/// Collects the paths of one file.
struct PathCollector<'a> {
    modules: &'a BTreeMap<Module, ModuleNames>,
    module: Module,
    path_uses: Vec<PathUse>,
}

impl PathCollector<'_> {
    fn record_path(&mut self, path: &[String], is_reexport: bool) {
        let is_ours = matches!(path.first().map(String::as_str), Some("crate" | "self" | "super"))
            || path.first().is_some_and(|first| {
                self.modules.contains_key(&[&self.module[..], std::slice::from_ref(first)].concat())
                    && path.len() > 1
            });
        if is_ours && let Some(target) = resolve_path(&self.module, path) {
            self.path_uses.push(PathUse { target, is_reexport });
        }
    }

    /// Collects the paths among the tokens of a macro call, which has no syntax tree.
    fn collect_from_tokens(&mut self, mut at: Cursor<'_>) {
        while !at.eof() {
            if let Some((inner, _, _, behind)) = at.any_group() {
                self.collect_from_tokens(inner);
                at = behind;
            } else if let Some((first, mut behind)) = at.ident() {
                let mut path = vec![first.to_string()];
                while let Some((name, next)) = skip_path_separator(behind).and_then(Cursor::ident) {
                    path.push(name.to_string());
                    behind = next;
                }
                self.record_path(&path, false);
                at = behind;
            } else if let Some((_, behind)) = at.token_tree() {
                at = behind;
            } else {
                break;
            }
        }
    }
}

fn skip_path_separator(at: Cursor<'_>) -> Option<Cursor<'_>> {
    let (first, at) = at.punct()?;
    let (second, at) = at.punct()?;
    (first.as_char() == ':' && second.as_char() == ':').then_some(at)
}

impl<'ast> Visit<'ast> for PathCollector<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        syn::visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut leaves = Vec::new();
        collect_leaves(&item.tree, &mut Vec::new(), &mut leaves);
        let is_reexport = !matches!(item.vis, Visibility::Inherited);
        for (path, _) in leaves {
            self.record_path(&path, is_reexport);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.record_path(&names, false);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let tokens = TokenBuffer::new2(call.tokens.clone());
        self.collect_from_tokens(tokens.begin());
        syn::visit::visit_macro(self, call);
    }

    /// A visibility such as `pub(in path)` is not a use of that path.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}
}
