package gitindex

import (
	"bytes"
	"crypto/sha1"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
)

const zeros = "0000000000000000000000000000000000000000"

// written returns an index file of version 2 with these names, and what follows the entries.
func written(t testing.TB, extensions string, names ...string) []byte {
	t.Helper()
	all := &index.Index{Version: 2}
	for _, name := range names {
		all.Entries = append(all.Entries, &index.Entry{Name: name, Mode: filemode.Regular, Hash: plumbing.ZeroHash})
	}
	var out bytes.Buffer
	if err := index.NewEncoder(&out).Encode(all); err != nil {
		t.Fatal(err)
	}
	file := out.Bytes()
	file = append(file[:len(file)-sha1.Size], extensions...)
	sum := sha1.Sum(file)
	return append(file, sum[:]...)
}

func TestLookup(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a/long/name/", 500)
	names := []string{"a", "b/1234567", "b/12345678", "b/c", long}
	for name, tc := range map[string]struct {
		file []byte
		ok   bool
	}{
		"plain":             {written(t, "", names...), true},
		"an extension":      {written(t, "TREE\x00\x00\x00\x02ab", names...), true},
		"a split index":     {written(t, "link\x00\x00\x00\x02ab", names...), false},
		"a sparse index":    {written(t, "sdir\x00\x00\x00\x00", names...), false},
		"a short extension": {written(t, "TREE\x00\x00\x00\x09ab", names...), false},
		"half of a file":    {written(t, "", names...)[:300], false},
		"nothing":           {nil, false},
		"another file":      {[]byte(strings.Repeat("text", 100)), false},
	} {
		found, ok := lookup(tc.file, append(names, "b/c/d")...)
		if ok != tc.ok || ok && (len(found) != len(names) || found[long] != "100644 "+zeros || found["b/1234567"] != "100644 "+zeros) {
			t.Errorf("%s: %t, %d entries", name, ok, len(found))
		}
	}
}

// FuzzLookup compares with go-git's decoder what is found in files that both can read.
func FuzzLookup(f *testing.F) {
	f.Add(written(f, "", "a", "b/c", "b/d"))
	f.Add(written(f, "TREE\x00\x00\x00\x00", "a"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + strings.Repeat("\x00", 62) + "\x00name\x00" + strings.Repeat("\x00", 20)))
	f.Fuzz(func(t *testing.T, file []byte) {
		found, ok := lookup(file, "a", "b/c", "b/d")
		var all index.Index
		if err := index.NewDecoder(bytes.NewReader(file)).Decode(&all); err != nil || !ok {
			return
		}
		for _, e := range all.Entries {
			if got := found[e.Name]; got != "" && !strings.HasSuffix(got, " "+e.Hash.String()) {
				t.Errorf("%q: %q, want %q", e.Name, got, e.Hash)
			}
		}
	})
}
