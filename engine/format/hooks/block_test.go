package hooks

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, Insert(once, "pre-commit"), once, "%s: inserting again changes it:", name)
		assert.Equal(t, bytes.HasPrefix(once, []byte("#!")), strings.HasPrefix(src, "#!"), "%s: the first line is another", name)
		rest, found := Strip(once)
		assert.True(t, found, "%s: found %v, %q is left, was %q", name, found, rest, src)
		assert.Equal(t, src, string(rest), "%s: found", name)
		rest, found = Strip([]byte(src))
		assert.False(t, found, "%s: a block is found where there is none", name)
		assert.Equal(t, src, string(rest), "%s: a block is found where there is none", name)
	}
}

func TestStrip_keepsWhatOthersAdded(t *testing.T) {
	t.Parallel()
	rest, found := Strip(OwnHook("pre-push", nil))
	assert.True(t, found, "a file of ours leaves %q", rest)
	assert.True(t, rest == nil, "a file of ours leaves %q", rest)
	rest, found = Strip(OwnHook("pre-push", []byte("#!/usr/bin/env bash\r\nexit 0\n")))
	assert.True(t, found, "a file of ours before a script of bash leaves %q", rest)
	assert.True(t, rest == nil, "a file of ours before a script of bash leaves %q", rest)
	rest, found = Strip(Part("pre-push"))
	assert.True(t, found, "a part of ours leaves %q", rest)
	assert.True(t, rest == nil, "a part of ours leaves %q", rest)
	rest, found = Strip(append(OwnHook("pre-push", nil), "echo more\n"...))
	assert.True(t, found, "what was added leaves %q", rest)
	assert.Equal(t, "#!/bin/sh\necho more\n", string(rest), "what was added leaves")
	half := bytes.TrimSuffix(Insert([]byte("#!/bin/sh\necho hi\n"), "pre-push"), []byte("echo hi\n"))
	half = bytes.TrimSuffix(half, []byte(closing+"\n"))
	rest, found = Strip(half)
	assert.False(t, found, "half a block is taken for one: %q", rest)
	assert.Equal(t, half, rest, "half a block is taken for one")
}

func TestShell(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"#!/bin/sh\n": true, "#! /bin/sh -e\n": true, "#!/usr/bin/env bash\n": true, "#!/usr/bin/env sh": true, "echo\n": true, "": true,
		"#!/usr/bin/env python3\n": false, "#!/usr/bin/python\n": false, "#!/usr/bin/env\n": false, "#!\n": false, "#!/usr/bin/fish\n": false,
		"\x7fELF\x00": false, "MZ\x90\x00": false,
	} {
		assert.Equal(t, want, Shell([]byte(src)), "%q", src)
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
		rest, found := Strip(Insert(src, "commit-msg"))
		assert.True(t, found, "%q comes back as %q", src, rest)
		assert.Equal(t, src, rest)
	})
}
