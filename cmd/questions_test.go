package cmd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
)

// question is what a user or an agent asks to find a command, and the commands that answer it.
type question struct {
	text    string
	answers []string
}

// questionList is a list of commands with questions about them.
type questionList struct {
	name      string
	commands  []string // their words
	docs      []library.Entry
	questions []question
	far       []question // in words that are further from those of the descriptions
}

// TestLibrary_questions prints how well the right commands are found, in comparison with plain TF-IDF: the mean
// reciprocal rank (MRR) and the share of questions that have the right command first (hit@1). The words and weights of
// engine/prompt/library were chosen by every second question, from the first on ("tuning"); the others are new to it.
//
// Questions are in the words of people who do not know the descriptions, and were written before engine/prompt/library; a
// tenth is misspelt. Some have none of the words of their command, and fail. The questions called "far" have so few of
// them that no good result is required, only one that is not worse than that of TF-IDF.
func TestLibrary_questions(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "list\tcommands\tquestions\t\tTF-IDF MRR\thit@1\tours MRR\thit@1\t")
	asked := 0
	for _, l := range []questionList{climptCommands(t), gitCommands(t), ownCommands(t)} {
		asked += len(l.questions)
		plain, ours := newPlainIndex(l.docs), l.index(t)
		var tuning, others []question
		for i, q := range l.questions {
			if i%2 == 0 {
				tuning = append(tuning, q)
			} else {
				others = append(others, q)
			}
		}
		for _, part := range []struct {
			name      string
			questions []question
		}{{"tuning", tuning}, {"new", others}, {"all", l.questions}, {"far", l.far}} {
			before := l.judge(part.questions, plain.search)
			after := l.judge(part.questions, ours)
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t\n",
				l.name, len(l.docs), len(part.questions), part.name, before.mrr, before.first, after.mrr, after.first)
			least := 0.85
			if part.name == "far" {
				least = 0
			}
			assert.False(t, after.mrr < least, "%s, %s: MRR %.3f, hit@1 %.3f; TF-IDF %.3f, %.3f\n%s", l.name, part.name, after.mrr, after.first, before.mrr, before.first, strings.Join(after.failures, "\n"))
			assert.False(t, after.mrr < before.mrr, "%s, %s: MRR %.3f, hit@1 %.3f; TF-IDF %.3f, %.3f\n%s", l.name, part.name, after.mrr, after.first, before.mrr, before.first, strings.Join(after.failures, "\n"))
			assert.False(t, after.first < before.first, "%s, %s: MRR %.3f, hit@1 %.3f; TF-IDF %.3f, %.3f\n%s", l.name, part.name, after.mrr, after.first, before.mrr, before.first, strings.Join(after.failures, "\n"))
			if part.name == "new" {
				t.Logf("%s: new questions whose command is not the first:\n%s", l.name, strings.Join(after.failures, "\n"))
			}
		}
	}
	assert.NoError(t, w.Flush())
	t.Log("\n" + table.String())
	assert.True(t, asked >= 120, "only %d questions", asked)
}

// Descriptions of real commands have at least the score that a repetition has.
func TestLibrary_repeated(t *testing.T) {
	t.Parallel()
	for _, l := range []questionList{climptCommands(t), gitCommands(t), ownCommands(t)} {
		search := l.index(t)
		for i, d := range l.docs {
			hits := search(d.Description)
			n := slices.IndexFunc(hits, func(h ranked) bool { return h.doc == i })
			assert.True(t, n >= 0, "%s: %q does not find %q: %v", l.name, d.Description, l.commands[i], hits[:min(3, len(hits))])
			assert.False(t, hits[n].score < 0.8, "%s: %q does not find %q: %v", l.name, d.Description, l.commands[i], hits[:min(3, len(hits))])
		}
	}
}

// ranked is a command that was found, by its number in the list.
type ranked struct {
	doc   int
	score float64
}

// index returns the search for commands.
func (l *questionList) index(t *testing.T) func(query string) []ranked {
	t.Helper()
	x, err := library.NewIndex(l.docs)
	assert.NoError(t, err)
	return func(query string) (list []ranked) {
		hits, err := x.Search(query, 0)
		if err != nil {
			t.Error(err)
		}
		for _, h := range hits {
			list = append(list, ranked{slices.Index(l.commands, h.C1), h.Score})
		}
		return list
	}
}

// judgement is how well questions are answered.
type judgement struct {
	mrr, first float64
	failures   []string
}

func (l questionList) judge(questions []question, search func(query string) []ranked) judgement {
	var j judgement
	for _, q := range questions {
		hits := search(q.text)
		rank := 1 + slices.IndexFunc(hits, func(h ranked) bool { return slices.Contains(q.answers, l.commands[h.doc]) })
		if rank > 0 {
			j.mrr += 1 / float64(rank) / float64(len(questions))
		}
		if rank == 1 {
			j.first += 1 / float64(len(questions))
			continue
		}
		var found []string
		for _, h := range hits[:min(3, len(hits))] {
			found = append(found, fmt.Sprintf("%s %.2f", l.commands[h.doc], h.score))
		}
		j.failures = append(j.failures, fmt.Sprintf("  rank %d of %q for %q; found: %s",
			rank, strings.Join(q.answers, " or "), q.text, strings.Join(found, ", ")))
	}
	return j
}

// climptCommands returns the commands that climpt itself has.
func climptCommands(t *testing.T) questionList {
	t.Helper()
	l := questionList{name: "climpt"}
	for line := range strings.Lines(readTestdata(t, "climpt-commands.txt")) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		l.add(name, text)
	}
	l.readQuestions(t)
	return l
}

// gitCommands returns the commands of the installed git that people use.
func gitCommands(t *testing.T) questionList {
	t.Helper()
	c := exec.Command("git", "help", "-a")
	c.Env = append(os.Environ(), "LC_ALL=C", "GIT_PAGER=cat")
	out, err := c.Output()
	assert.NoError(t, err)
	l := questionList{name: "git"}
	isListed := false
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, " ") {
			isListed = strings.HasPrefix(line, "Main Porcelain") || strings.HasPrefix(line, "Ancillary") || isListed && strings.TrimSpace(line) == ""
			continue
		}
		if name, text, ok := strings.Cut(strings.TrimSpace(line), " "); isListed && ok {
			l.add(name, strings.TrimSpace(text))
		}
	}
	l.readQuestions(t)
	return l
}

// ownCommands returns the commands of chant that do something; those that only have others print their help.
func ownCommands(t *testing.T) questionList {
	t.Helper()
	l := questionList{name: "chant"}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		if c.HasParent() && (!c.HasSubCommands() || c.Flags().HasFlags()) {
			_, path, _ := strings.Cut(c.CommandPath(), " ")
			l.add(path, c.Short)
		}
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	add(newRoot(&console.App{}))
	l.readQuestions(t)
	return l
}

func (l *questionList) add(name, text string) {
	l.commands = append(l.commands, name)
	e := library.Entry{Command: climpt.Command{Description: text}}
	e.C1 = name
	l.docs = append(l.docs, e)
}

// readQuestions reads the questions about the commands.
func (l *questionList) readQuestions(t *testing.T) {
	t.Helper()
	l.questions = l.questionsOf(t, l.name+".txt")
	l.far = l.questionsOf(t, l.name+"-far.txt")
}

// questionsOf reads a file of questions, each with its answers in a line. It leaves out those about commands that the
// installed git does not have.
func (l *questionList) questionsOf(t *testing.T, name string) []question {
	t.Helper()
	var list []question
	for line := range strings.Lines(readTestdata(t, name)) {
		text, answers, ok := strings.Cut(strings.TrimSpace(line), " => ")
		assert.True(t, ok, "no answer in %q", line)
		q := question{text, strings.Split(answers, " | ")}
		if slices.ContainsFunc(q.answers, func(answer string) bool { return slices.Contains(l.commands, answer) }) {
			list = append(list, q)
		} else if l.name != "git" {
			t.Errorf("%s has no command %q", l.name, answers)
		}
	}
	return list
}

func readTestdata(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "questions", name))
	assert.NoError(t, err)
	return string(src)
}
