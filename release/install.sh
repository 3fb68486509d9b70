#!/bin/sh
# Installs chant into ~/.local/bin, or into the folder that is given: sh install.sh [FOLDER]
#
#   CHANT_RELEASES  address of the releases (default: @RELEASES@)
#   CHANT_VERSION   which of them (default: @VERSION@)
#   CHANT_PROGRAM   chant or chant-fleet (default: chant)
#   CHANT_SIGNERS   file of allowed signers (see ssh-keygen); with it, the signature of the checksums must be valid
#
# Nothing is written to the folder before the checksum of the archive is found right.
set -eu

fail() {
	echo "install.sh: $1" >&2
	exit 1
}

download() { # ADDRESS FILE
	if command -v curl >/dev/null 2>&1; then
		curl -fsSL "$1" -o "$2" || fail "cannot download \"$1\""
	elif command -v wget >/dev/null 2>&1; then
		wget -q "$1" -O "$2" || fail "cannot download \"$1\""
	else
		fail "neither curl nor wget is installed"
	fi
}

checksum() { # FILE
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1" | cut -d' ' -f1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 "$1" | cut -d' ' -f1
	elif command -v openssl >/dev/null 2>&1; then
		openssl dgst -sha256 -r "$1" | cut -d' ' -f1
	else
		fail "none of sha256sum, shasum and openssl is installed, so the download cannot be checked"
	fi
}

# In a function, so that a script that was cut off on its way does nothing.
main() {
	releases=${CHANT_RELEASES:-@RELEASES@}
	version=${CHANT_VERSION:-@VERSION@}
	version=${version#v}
	program=${CHANT_PROGRAM:-chant}
	folder=${1:-${HOME:?}/.local/bin}

	os=$(uname -s) kind=tar.gz exe=$program
	case $os in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS* | CYGWIN*) os=windows kind=zip exe=$program.exe ;;
	esac
	arch=$(uname -m)
	case $arch in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	esac

	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	address=${releases%/}/v$version
	name=${program}_${version}_${os}_$arch
	download "$address/SHA256SUMS" "$work/SHA256SUMS"
	if [ -n "${CHANT_SIGNERS:-}" ]; then
		download "$address/SHA256SUMS.sig" "$work/SHA256SUMS.sig"
		ssh-keygen -q -Y verify -f "$CHANT_SIGNERS" -I chant -n chant-release -s "$work/SHA256SUMS.sig" <"$work/SHA256SUMS" ||
			fail "the signature of \"$address/SHA256SUMS\" is not that of \"chant\" in \"$CHANT_SIGNERS\""
	fi
	want=$(awk -v file="$name.$kind" '$2 == file {print $1}' "$work/SHA256SUMS")
	[ -n "$want" ] || fail "release $version has no $program for $os $arch"
	download "$address/$name.$kind" "$work/archive"
	have=$(checksum "$work/archive")
	[ "$have" = "$want" ] || fail "\"$address/$name.$kind\" has the checksum $have, but SHA256SUMS has $want; nothing was installed"
	case $kind in
	zip) unzip -q "$work/archive" -d "$work" ;;
	*) tar -xzf "$work/archive" -C "$work" ;;
	esac

	mkdir -p "$folder" 2>/dev/null || fail "cannot create \"$folder\""
	# A running chant keeps its file, and nobody sees half of one.
	{ cp "$work/$name/$exe" "$folder/.$exe.$$" && chmod 755 "$folder/.$exe.$$" && mv -f "$folder/.$exe.$$" "$folder/$exe"; } 2>/dev/null ||
		fail "cannot write to \"$folder\"; name another folder: sh install.sh FOLDER"
	echo "Installed $folder/$exe, version $version"
	case :$PATH: in
	*:"$folder":*) ;;
	*) echo "It is not on your PATH yet: export PATH=\"$folder:\$PATH\"" ;;
	esac
}

main "$@"
