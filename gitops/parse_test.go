package gitops

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"chant/gitops/gitexec"
)

func FuzzTreeLines(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("h", 20) + "40000 b\x00" + strings.Repeat("t", 20)))
	f.Add([]byte("100644 a\x00short"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var entries []Entry
		for line, err := range treeLines(raw, 20) {
			if err != nil {
				return
			}
			entries = append(entries, line.entry())
		}
		again, err := encodeTree(entries)
		if err != nil || len(again) > len(raw)+len(entries) {
			t.Fatalf("%q became %q, %v", raw, again, err)
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree t\nparent p\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig x\n y\n\nsubject\n\nA: b\n"))
	f.Add([]byte("author\ncommitter\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := parseCommit("h", raw)
		if strings.Contains(c.Subject, "\n") || !strings.Contains(string(raw), c.Message) {
			t.Fatalf("%+v", c)
		}
	})
}

func FuzzParseRecord(f *testing.F) {
	f.Add("h\np q\nt\nA <a@b>\n12\nsubject\n\nbody\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, record string) { parseRecord(record) })
}

func FuzzParseWorktrees(f *testing.F) {
	f.Add("worktree /a b\x00HEAD 1\x00branch refs/heads/x\x00locked why\x00\x00worktree /c\x00detached\x00prunable gone\x00\x00")
	f.Fuzz(func(t *testing.T, out string) {
		for _, w := range parseWorktrees(out) {
			if w.Path == "" {
				t.Fatal("a worktree without a path")
			}
		}
	})
}

func FuzzParseMerge(f *testing.F) {
	f.Add("tree\x00100644 h 1\ta\x00100644 h 2\ta\x00100644 h 3\tb\x00")
	f.Fuzz(func(t *testing.T, out string) { parseMerge(gitexec.Records([]byte(out))) })
}

func TestParseWorktrees(t *testing.T) {
	t.Parallel()
	got := parseWorktrees("worktree /a b\x00HEAD 1\x00branch refs/heads/chant/x\x00\x00worktree /c\x00HEAD 2\x00detached\x00locked\x00prunable gone\x00\x00")
	want := []Worktree{{Path: "/a b", Head: "1", Branch: "chant/x"}, {Path: "/c", Head: "2", Locked: true, Prunable: true}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v", got)
	}
}

func TestEncodeTree_roundTrip(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("sub.x", "x")
	s.write("sub-x", "x")
	s.git("add", "-A")
	tree := s.git("write-tree")
	entries := must[[]Entry](t)(s.readTree(t.Context(), tree))
	raw := must[[]byte](t)(encodeTree(entries))
	want := must[[]byte](t)(s.rawTree(t.Context(), tree))
	if !bytes.Equal(raw, want) {
		t.Fatalf("%s\n%s", hex.Dump(raw), hex.Dump(want))
	}
}
