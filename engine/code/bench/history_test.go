package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"chant/engine/code/embed"
	"chant/engine/code/shelf"

	"github.com/alecthomas/assert/v2"
)

const (
	windows     = 8 // into which the history is divided
	mostChanged = 6 // files of a commit whose subject is asked
)

// history returns this repository as it was at several commits. The questions for each are the subjects of the commits
// up to the next, which are answered by the files that those changed.
func history(tb testing.TB) []*corpus {
	tb.Helper()
	commits := strings.Fields(git(tb, "rev-list", "--first-parent", "--reverse", "HEAD"))
	if len(commits) < 400 {
		tb.Skip("the history is too short")
	}
	var list []*corpus
	for w := 1; w < windows; w++ {
		old, last := commits[w*len(commits)/windows], commits[(w+1)*len(commits)/windows-1]
		c := &corpus{byFile: true}
		exists := map[string]bool{}
		for _, d := range readCommit(tb, old) {
			exists[d.file] = true
			c.docs = append(c.docs, d)
			if pair, ok := shelf.Pair(d.chunk, d.texts()); ok {
				c.pairs = append(c.pairs, pair)
			}
		}
		c.past = changes(tb, old, exists)
		c.questions = subjects(tb, old+".."+last, exists)
		if len(c.pairs) >= embed.LeastPairs {
			list = append(list, c)
		}
	}
	return list
}

// readCommit returns the chunks of the Go files of a commit that are no tests.
func readCommit(tb testing.TB, commit string) []document {
	tb.Helper()
	var blobs strings.Builder
	var files []string
	for line := range strings.Lines(git(tb, "ls-tree", "-r", "--full-tree", commit)) {
		meta, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if isCode(file) {
			blobs.WriteString(strings.Fields(meta)[2] + "\n")
			files = append(files, file)
		}
	}
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(blobs.String())
	out, err := cmd.Output()
	assert.NoError(tb, err)
	var docs []document
	r := bufio.NewReader(bytes.NewReader(out))
	for _, file := range files {
		var id, kind string
		var size int
		_, err := fmt.Fscanf(r, "%s %s %d\n", &id, &kind, &size)
		assert.NoError(tb, err)
		src := make([]byte, size+1)
		_, err = io.ReadFull(r, src)
		assert.NoError(tb, err)
		docs = append(docs, divide(file, src[:size])...)
	}
	return docs
}

func isCode(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "testdata/")
}

// subjects returns the subjects of commits that changed few files, of which some existed.
func subjects(tb testing.TB, commits string, exists map[string]bool) []question {
	tb.Helper()
	log := git(tb, "log", "--first-parent", "-m", "--no-renames", "--name-status", "--format=%x00%s", commits)
	var list []question
	for _, commit := range strings.Split(log, "\x00")[1:] {
		subject, rest, _ := strings.Cut(commit, "\n")
		q, changed := question{strings.TrimSpace(subject), map[string]bool{}}, 0
		for line := range strings.Lines(rest) {
			_, file, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok || !isCode(file) {
				continue
			}
			changed++
			if exists[file] {
				q.want[file] = true
			}
		}
		if changed <= mostChanged && len(q.want) > 0 {
			list = append(list, q)
		}
	}
	return list
}

func git(tb testing.TB, args ...string) string {
	tb.Helper()
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		tb.Skipf("git %s: %v", args[0], err)
	}
	return string(out)
}
