package bench

import (
	"strings"
	"testing"

	"chant/engine/code/embed"
	"chant/engine/code/shelf"

	"github.com/alecthomas/assert/v2"
)

// BenchmarkProposals asks as BenchmarkHistory does, and counts past changes as well: those before each window.
func BenchmarkProposals(b *testing.B) {
	all := history(b)
	for range b.N {
		var code, both result
		for _, c := range all {
			x := newIndex(b, c, embed.Options{})
			for _, q := range c.questions {
				files := c.files(shelf.Fuse(x.lexical(b, q.text), x.semantic(q.text), shelf.DefaultWeight))
				changed, err := shelf.Changed(c.past, q.text)
				assert.NoError(b, err)
				code.add(q, keysOf(files))
				both.add(q, keysOf(shelf.Fuse(files, changed, shelf.PastWeight)))
			}
		}
		code.report(b, "code")
		both.report(b, "code and past changes")
		b.ReportMetric(both.MRR(), "MRR@10")
		b.ReportMetric(both.R10(), "R@10")
		b.ReportMetric(both.MRR()/code.MRR(), "times-code")
		if both.MRR() < code.MRR()-0.005 {
			b.Errorf("MRR@10 %.3f with past changes, %.3f without", both.MRR(), code.MRR())
		}
	}
}

// files returns the files of ranked documents, each with its best score.
func (c *corpus) files(ranked []shelf.Scored) []shelf.Scored {
	var files []shelf.Scored
	seen := map[string]bool{}
	for _, d := range ranked {
		if file := c.docs[docOf(d.Key)].file; !seen[file] {
			seen[file] = true
			files = append(files, shelf.Scored{Key: file, Score: d.Score})
		}
	}
	return files
}

// changes returns the commits up to one with those of their files that exist.
func changes(tb testing.TB, to string, exists map[string]bool) []shelf.Change {
	tb.Helper()
	log := git(tb, "log", "--no-merges", "--no-renames", "--name-only", "--format=%x00%s", to)
	var list []shelf.Change
	for _, commit := range strings.Split(log, "\x00")[1:] {
		subject, rest, _ := strings.Cut(commit, "\n")
		change := shelf.Change{Subject: subject}
		for file := range strings.Lines(rest) {
			if file = strings.TrimSpace(file); exists[file] {
				change.Files = append(change.Files, file)
			}
		}
		if len(change.Files) > 0 {
			list = append(list, change)
		}
	}
	return list
}
