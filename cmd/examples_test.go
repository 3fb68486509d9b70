package cmd

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestExamples_parse: each command line of chant in the examples of help, in the shell blocks of README and of the manual, and
// in their text is one that the commands accept: command, flags, values of flags that are enumerated, and number of arguments.
func TestExamples_parse(t *testing.T) {
	t.Parallel()
	p, places := newParser(), map[string][]string{}
	for place, script := range exampleScripts(t) {
		for _, line := range commandLines(script) {
			text := strings.Join(line, "\x00")
			places[text] = append(places[text], place)
		}
	}
	for text, found := range places {
		line := strings.Split(text, "\x00")
		if failure := p.parse(t.Context(), line); failure != "" {
			t.Errorf("%q: chant %q: %s", found, line, failure)
		}
	}
	assert.True(t, len(places) >= 400, "only %d examples", len(places))
}

// TestExamples_mentioned: each command that the text of README or of the manual names exists, with the flags that are named.
func TestExamples_mentioned(t *testing.T) {
	t.Parallel()
	p, seen := newParser(), map[string]bool{}
	p.mentions = true
	for _, page := range pages(t) {
		for _, span := range regexp.MustCompile("`(chant [^`]*)`").FindAllStringSubmatch(shellBlock().ReplaceAllString(page, ""), -1) {
			for _, line := range commandLines(span[1]) {
				if seen[span[1]] || len(line) == 0 || line[0] == "COMMAND" {
					continue
				}
				seen[span[1]] = true
				if failure := p.parse(t.Context(), line); failure != "" && !strings.Contains(failure, "flag needs an argument") {
					t.Errorf("`%s`: %s", span[1], failure)
				}
			}
		}
	}
	assert.True(t, len(seen) >= 150, "only %d mentions", len(seen))
}

// TestExamples_refused checks that the test of examples fails for what is wrong.
func TestExamples_refused(t *testing.T) {
	t.Parallel()
	p := newParser()
	for _, script := range []string{
		"chant lsit", "chant list --labl x", "cd x && chant show", "chant list > f --limit x", "id=1 chant list --format x",
		"echo \"$(chant show 001 002)\"", "chant import nothing .", "chant list |\\\n  chant schema nothing", "cat <<END\nx\nEND\nchant list x",
		"chant list --limit x --json",
	} {
		lines := commandLines(script)
		assert.NotZero(t, lines, "%s", script)
		failures := ""
		for _, line := range lines {
			failures += p.parse(t.Context(), line)
		}
		assert.NotEqual(t, "", failures, "%s: %q is accepted", script, lines)
	}
}

// TestExamples_read runs the examples that only read in a project that has what they name.
func TestExamples_read(t *testing.T) {
	t.Parallel()
	dir, seen := exampleProject(t), map[string]bool{}
	for place, script := range exampleScripts(t) {
		for _, line := range commandLines(script) {
			text := strings.Join(line, " ")
			if seen[text] || !onlyReads(text) {
				continue
			}
			seen[text] = true
			t.Run(text, func(t *testing.T) {
				t.Parallel()
				_, errs, code := runIn(t, dir, line...)
				assert.Equal(t, 0, code, "%s: chant %q: %s", place, line, errs)
			})
		}
	}
	assert.True(t, len(seen) >= 100, "only %d examples", len(seen))
}

// onlyReads reports whether a command line changes nothing, needs no agent and no network, and comes to an end.
func onlyReads(line string) bool {
	switch {
	case regexp.MustCompile(` --(follow|fix|flag|run|watch|add|repo|global|exit-code)\b`).MatchString(line):
		return false
	case regexp.MustCompile(`^(work|merge|derive|cleanup|archive|undo) .*--(dry-run|list)\b`).MatchString(line):
		return true
	}
	return regexp.MustCompile(`^(list|ready|show|status|search|board|diff|deps|diagnose|log|dag|activity|stats|lint|drift|config|version|doctor|guide|prep|whoami|code|docs|research|schema|help|` +
		`(template|prompt|key|hook|command) list|(template|prompt|command) show|prompt render|command search|hooks status|worktree status|watch status|work list|` +
		`task (list|show|projects)|sprint (list|show|summary|burndown|velocity|backlog))( |$)`).MatchString(line)
}

// exampleProject returns a project that has what examples name.
func exampleProject(t *testing.T) string {
	t.Helper()
	dir := emptyProject(t)
	assert.NoError(t, os.Remove(filepath.Join(dir, ".chant", "specs", "2026-01-02-001-abc.md"))) // 001 is another one
	for name, front := range map[string]string{
		"2026-01-22-001-x7m": "aliases: [BACK-12]\n", "2026-01-22-002-def": "", "2026-01-22-003-ghi": "task: AUTH-1\n", "2026-01-22-004-jkl": "task: AUTH-12\n",
	} {
		enginetest.Write(t, dir, ".chant/specs/"+name+".md", enginetest.ShellSpec(front, "echo x > "+name))
	}
	for _, name := range []string{"feature", "endpoint"} {
		enginetest.Write(t, dir, ".chant/templates/"+name+".md", "---\nname: "+name+"\n---\n# Template\n")
	}
	for _, line := range []string{
		"work 001 --quiet", "sprint create A", "sprint create B", "sprint create C", "sprint start 1", "sprint start 3",
		"command new go review package --description Review", "command new git group-commit unstaged-changes --description Commit",
	} {
		_, errs, code := runIn(t, dir, strings.Fields(line)...)
		assert.Equal(t, 0, code, "chant %s: %s", line, errs)
	}
	return dir
}

// exampleScripts lists what to check, by the place where it is.
func exampleScripts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	Each(newRoot(&console.App{}), func(c *cobra.Command) { out[c.CommandPath()+" --help"] = c.Example })
	for name, page := range pages(t) {
		for _, found := range shellBlock().FindAllStringSubmatch(page, -1) {
			out[name] += found[2]
		}
	}
	return out
}

// shellBlock matches the blocks of Markdown that a reader pastes into a shell.
func shellBlock() *regexp.Regexp { return regexp.MustCompile("(?ms)^ *(`{3,4})sh\n(.*?)^ *`{3,4}$") }

// pages returns README and the pages of the manual by their paths.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := fs.Glob(os.DirFS(".."), "cmd/guide/*.md")
	assert.NoError(t, err)
	out := map[string]string{}
	for _, name := range append(names, "README.md") {
		text, err := os.ReadFile(filepath.Join("..", name))
		assert.NoError(t, err)
		out[name] = string(text)
	}
	return out
}

// parser runs command lines up to the code of their commands.
type parser struct {
	mentions bool // the number of arguments does not matter
	// A parser keeps the values of flags, so each tree of commands parses one line for each command. To make a tree for each
	// line would take ten times as long.
	trees []*cobra.Command
	uses  map[string]int // by command
	wrong string         // about the line that was parsed last
}

func newParser() *parser { return &parser{uses: map[string]int{}} }

// parse returns why a line is not accepted.
func (p *parser) parse(ctx context.Context, args []string) string {
	var out, errs strings.Builder
	p.wrong = ""
	exit := console.Run(ctx, args, Env{In: strings.NewReader(""), Out: &out, Err: &errs}, func(a *console.App) *cobra.Command {
		if len(p.trees) == 0 {
			p.trees = append(p.trees, p.tree(a))
		}
		c, _, _ := p.trees[0].Find(args)
		used := p.uses[c.CommandPath()]
		p.uses[c.CommandPath()]++
		if used == len(p.trees) {
			p.trees = append(p.trees, p.tree(a))
		}
		return p.trees[used]
	})
	if exit != 0 {
		return errs.String()
	}
	return p.wrong
}

// tree returns all commands, which do nothing but check the values of their flags.
func (p *parser) tree(a *console.App) *cobra.Command {
	root := newRoot(a)
	Each(root, func(c *cobra.Command) {
		if p.mentions {
			c.Args = cobra.ArbitraryArgs
		}
		// The command schema only prints.
		if c.RunE != nil && (p.mentions || c.Name() != "schema") {
			c.RunE = func(c *cobra.Command, args []string) error {
				if p.mentions {
					args = nil
				}
				p.wrong = wrongValues(c, args)
				return nil
			}
		}
	})
	return root
}

// wrongValues returns what is not among the values that the help of a command lists.
func wrongValues(c *cobra.Command, args []string) string {
	if len(c.ValidArgs) > 0 && len(args) > 0 && !slices.Contains(c.ValidArgs, args[0]) {
		return args[0] + " is none of " + strings.Join(c.ValidArgs, ", ")
	}
	wrong := ""
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, is := f.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		listed := Listed(f.Usage)
		for _, value := range values {
			if listed != nil && !slices.Contains(listed, value) {
				wrong = "--" + f.Name + " " + value + " is none of " + strings.Join(listed, ", ")
			}
		}
	})
	return wrong
}

// commandLines returns the arguments of each call of chant in a shell script, also inside of others.
func commandLines(script string) [][]string {
	var out [][]string
	var words []string
	redirect := false
	end := func() {
		for len(words) > 0 && regexp.MustCompile(`^\w+=`).MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "./cmd/chant"}) {
			words = words[2:]
		}
		if len(words) > 0 && (words[0] == "chant" || words[0] == "./cmd/chant") {
			out = append(out, words[1:])
		}
		words = nil
	}
	token := regexp.MustCompile(`^(?s:\s*\\\n|[ \t]+|#[^\n]*|\d?[<>]+&?|[\n;&|()]|(?:[^\s"'\\;&|()<>]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\))+|.)`)
	inner := regexp.MustCompile(`\$\(([^)]*)\)`)
	unquote := regexp.MustCompile(`(?s)"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)`)
	heredoc := ""
	for script != "" {
		word := token.FindString(script)
		script = script[len(word):]
		switch {
		case strings.TrimSpace(strings.Trim(word, "\\\n \t")) == "" && word != "\n", word[0] == '#':
		case strings.ContainsAny(word[:1], "\n;&|()"):
			end()
			redirect = false
			if word == "\n" && heredoc != "" {
				_, script, _ = strings.Cut("\n"+script, "\n"+heredoc+"\n")
				heredoc = ""
			}
		case regexp.MustCompile(`^\d?[<>]`).MatchString(word):
			redirect = !strings.HasSuffix(word, "&")
			if word == "<<" {
				heredoc = "?"
			}
		case heredoc == "?":
			heredoc, redirect = strings.Trim(word, `'"`), false
		case redirect:
			redirect = false
		default:
			for _, found := range inner.FindAllStringSubmatch(word, -1) {
				out = append(out, commandLines(found[1])...)
			}
			words = append(words, unquote.ReplaceAllString(word, "$1$2$3"))
		}
	}
	end()
	return out
}
