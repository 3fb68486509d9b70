package gitops

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/go-git/go-git/v5/plumbing"
	"pgregory.net/rapid"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// TestDiff_likeGit compares with "git diff-tree" on trees whose names sort near each other and
// whose entries change their kind.
func TestDiff_likeGit(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	var blobs []string
	for _, content := range []string{"", "one\n", "two\n"} {
		blobs = append(blobs, must[string](t)(s.objects.Write(plumbing.BlobObject, []byte(content))))
	}
	commit := s.git("rev-parse", "trunk")
	files := rapid.MapOfN(
		rapid.SampledFrom([]string{"a", "a/b", "a/b/c", "a.b", "a-b", "a0", "b/c", "b/c.d", "b/c/d", "é/ü", "z"}),
		rapid.Custom(func(rt *rapid.T) Entry {
			e := Entry{Mode: rapid.SampledFrom([]string{objectstore.ModeFile, objectstore.ModeExecutable, objectstore.ModeSymlink, objectstore.ModeSubmodule, "100664"}).Draw(rt, "mode")}
			if e.Hash = rapid.SampledFrom(blobs).Draw(rt, "blob"); e.Mode == objectstore.ModeSubmodule {
				e.Hash = commit
			}
			return e
		}), 0, 8)
	rapid.Check(t, func(rt *rapid.T) {
		from, to := s.tree(files.Draw(rt, "from")), s.tree(files.Draw(rt, "to"))
		got, err := s.Diff(ctx, from, to)
		if err != nil {
			rt.Fatal(err)
		}
		if got, want := fmt.Sprint(got), fmt.Sprint(s.diffByGit(from, to)); got != want {
			rt.Errorf("%s\ngit: %s", got, want)
		}
	})
}

// tree writes a tree of files by their paths; a file in the place of a folder is left out.
func (s *sandbox) tree(files map[string]Entry) string {
	s.t.Helper()
	within := map[string]map[string]Entry{}
	var entries []Entry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		top, below, deeper := strings.Cut(path, "/")
		if !deeper {
			e := files[path]
			e.Name = top
			entries = append(entries, e)
			continue
		}
		if within[top] == nil {
			within[top] = map[string]Entry{}
		}
		within[top][below] = files[path]
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return within[e.Name] != nil })
	for name, below := range within {
		entries = append(entries, Entry{Name: name, Hash: s.tree(below), Mode: objectstore.ModeTree, Dir: true})
	}
	raw := must[[]byte](s.t)(objectstore.EncodeTree(entries))
	return must[string](s.t)(s.objects.Write(plumbing.TreeObject, raw))
}

// diffByGit reads ":oldmode newmode oldhash newhash status" and a path, in turn.
func (s *sandbox) diffByGit(from, to string) []Change {
	s.t.Helper()
	var changes []Change
	fields := gitexec.Records([]byte(s.git("diff-tree", "-r", "-z", "--no-renames", "--raw", from, to)))
	for i := 0; i+1 < len(fields); i += 2 {
		info := strings.Fields(fields[i])
		was, is := strings.TrimPrefix(info[0], ":"), info[1]
		changes = append(changes, Change{
			Status: info[4][0], Path: fields[i+1],
			Gitlink: is == objectstore.ModeSubmodule, WasGitlink: was == objectstore.ModeSubmodule,
			Link: is == objectstore.ModeSymlink, WasLink: was == objectstore.ModeSymlink,
			LostExecutable: was == objectstore.ModeExecutable && is == objectstore.ModeFile,
		})
	}
	return changes
}

// TestDiff_missing names a tree that is not there.
func TestDiff_missing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	changes, err := s.Diff(context.Background(), "trunk", strings.Repeat("1", 40))
	assert.Error(t, err, "no error: %v", changes)
}
