#!/usr/bin/env bash
# Builds a release package: scripts/package.sh [TARGET]
#
# Builds the program for TARGET (default: this platform) and writes
# target/dist/crosspath-VERSION-TARGET.tar.gz with the program, its manual page, completions,
# desktop entry, documentation, licences and third-party notices. For Linux it also writes a Debian
# package if `dpkg-deb` is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
out=${CARGO_TARGET_DIR:-target}
name=crosspath-$version-$target
tree=$out/dist/$name

# Crash messages name source files. This removes the folders of this computer from their paths
# (except on Windows).
cargo fetch --locked --target "$target"
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
for folder in "$registry"/*/; do
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=${folder%/}=crates"
done
export RUSTFLAGS
cargo build --release --locked --target "$target"
program=$out/$target/release/crosspath
[ -e "$program" ] || program=$program.exe
if grep --quiet --text --fixed-strings -e "$registry" -e "$PWD" "$program"; then
    echo "error: $program contains paths of this computer" >&2
    exit 1
fi
unset RUSTFLAGS
# The manual page and completions are the same on every platform. They are printed by a program that
# runs here.
here=$program
if [ "$target" != "$host" ] && ! "$program" --version >/dev/null 2>&1; then
    cargo build --locked
    here=$out/debug/crosspath
fi

rm -rf "$tree"
mkdir -p "$tree"/{bin,share/man/man1,share/bash-completion/completions,share/zsh/site-functions} \
    "$tree"/share/{fish/vendor_completions.d,applications,icons/hicolor/scalable/apps,doc/crosspath/docs,doc/crosspath/examples}
cp "$program" "$tree/bin/"
"$here" man | gzip -9n >"$tree/share/man/man1/crosspath.1.gz"
"$here" completions bash >"$tree/share/bash-completion/completions/crosspath"
"$here" completions zsh >"$tree/share/zsh/site-functions/_crosspath"
"$here" completions fish >"$tree/share/fish/vendor_completions.d/crosspath.fish"
cp packaging/crosspath.desktop "$tree/share/applications/"
cp packaging/crosspath.svg "$tree/share/icons/hicolor/scalable/apps/"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$tree/share/doc/crosspath/"
cp docs/*.md docs/*.svg "$tree/share/doc/crosspath/docs/"
cp examples/*.txt "$tree/share/doc/crosspath/examples/"
scripts/third-party.py "$target" >"$tree/share/doc/crosspath/THIRD-PARTY.txt"

tar -C "$out/dist" -czf "$out/dist/$name.tar.gz" "$name"
echo "$out/dist/$name.tar.gz"

case "$target" in
    x86_64-*-linux-*) architecture=amd64 ;;
    aarch64-*-linux-*) architecture=arm64 ;;
    *) exit 0 ;;
esac
command -v dpkg-deb >/dev/null || exit 0
package=$out/dist/deb
rm -rf "$package"
mkdir -p "$package/DEBIAN" "$package/usr"
cp -r "$tree"/{bin,share} "$package/usr/"
mkdir -p "$package/usr/share/zsh/vendor-completions"
mv "$package/usr/share/zsh/site-functions/_crosspath" "$package/usr/share/zsh/vendor-completions/"
rmdir "$package/usr/share/zsh/site-functions"
{
    cat LICENSE-MIT
    printf '\nOr, at your option, the Apache License 2.0: see LICENSE-APACHE. Parts by others: see THIRD-PARTY.txt.\n'
} >"$package/usr/share/doc/crosspath/copyright"
case "$target" in *-gnu) depends='Depends: libc6, libgcc-s1' ;; *) depends= ;; esac
{
    printf 'Package: crosspath\nVersion: %s\nArchitecture: %s\n' "$version" "$architecture"
    printf 'Maintainer: the crosspath authors\nSection: games\nPriority: optional\n'
    printf 'Installed-Size: %s\n' "$(du -sk "$package/usr" | cut -f 1)"
    [ -z "$depends" ] || echo "$depends"
    printf 'Description: tic-tac-toe, Hex and Quoridor in the terminal\n'
    printf ' Plays the three games against you, or lets you replay and analyse games.\n'
    printf ' Its engines prove results where they can, and use networks where not.\n'
} >"$package/DEBIAN/control"
dpkg-deb --root-owner-group --build "$package" "$out/dist/crosspath_${version}_$architecture.deb"
