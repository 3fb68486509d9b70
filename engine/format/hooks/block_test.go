package hooks

import (
	"bytes"
	"strings"
	"testing"
)

func scripts() map[string]string {
	return map[string]string{
		"husky":          "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"",
		"plain":          "#!/bin/sh\necho hi\nexit 1\n",
		"bash":           "#!/usr/bin/env bash\nset -eu\nexec true\n",
		"no interpreter": "echo hi\n",
		"only a line":    "#!/bin/sh",
		"empty":          "",
		"CRLF":           "#!/bin/sh\r\necho hi\r\n",
		"mentions":       "#!/bin/sh\necho '# >>> chant hooks'\n",
	}
}

// TestInsert_stripIsTheInverse: a file is the same byte for byte after its block was removed.
func TestInsert_stripIsTheInverse(t *testing.T) {
	t.Parallel()
	for name, src := range scripts() {
		once := Insert([]byte(src), "pre-commit")
		if twice := Insert(once, "pre-commit"); !bytes.Equal(once, twice) {
			t.Errorf("%s: inserting again changes it:\n%s", name, twice)
		}
		if strings.HasPrefix(src, "#!") != bytes.HasPrefix(once, []byte("#!")) {
			t.Errorf("%s: the first line is another\n%s", name, once)
		}
		if rest, found := Strip(once); !found || string(rest) != src {
			t.Errorf("%s: found %v, %q is left, was %q", name, found, rest, src)
		}
		if rest, found := Strip([]byte(src)); found || string(rest) != src {
			t.Errorf("%s: a block is found where there is none", name)
		}
	}
}

func TestStrip_keepsWhatOthersAdded(t *testing.T) {
	t.Parallel()
	if rest, found := Strip(OwnHook("pre-push", nil)); !found || rest != nil {
		t.Errorf("a file of ours leaves %q", rest)
	}
	if rest, found := Strip(OwnHook("pre-push", []byte("#!/usr/bin/env bash\r\nexit 0\n"))); !found || rest != nil {
		t.Errorf("a file of ours before a script of bash leaves %q", rest)
	}
	if rest, found := Strip(Part("pre-push")); !found || rest != nil {
		t.Errorf("a part of ours leaves %q", rest)
	}
	if rest, found := Strip(append(OwnHook("pre-push", nil), "echo more\n"...)); !found || string(rest) != "#!/bin/sh\necho more\n" {
		t.Errorf("what was added leaves %q", rest)
	}
	half := bytes.TrimSuffix(Insert([]byte("#!/bin/sh\necho hi\n"), "pre-push"), []byte("echo hi\n"))
	half = bytes.TrimSuffix(half, []byte(closing+"\n"))
	if rest, found := Strip(half); found || !bytes.Equal(rest, half) {
		t.Errorf("half a block is taken for one: %q", rest)
	}
}

func TestShell(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"#!/bin/sh\n": true, "#! /bin/sh -e\n": true, "#!/usr/bin/env bash\n": true, "#!/usr/bin/env sh": true, "echo\n": true, "": true,
		"#!/usr/bin/env python3\n": false, "#!/usr/bin/python\n": false, "#!/usr/bin/env\n": false, "#!\n": false, "#!/usr/bin/fish\n": false,
		"\x7fELF\x00": false, "MZ\x90\x00": false,
	} {
		if Shell([]byte(src)) != want {
			t.Errorf("%q: want %v", src, want)
		}
	}
}

func FuzzInsert(f *testing.F) {
	for _, src := range scripts() {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, has := Strip(src); has {
			return
		}
		if rest, found := Strip(Insert(src, "commit-msg")); !found || !bytes.Equal(rest, src) {
			t.Errorf("%q comes back as %q", src, rest)
		}
	})
}
