package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// word is the one meaning of a flag in all commands. A flag that only one command has is explained by that command's help.
type word struct {
	name, short, means string
	// except names commands, by their first words, in which the flag means something else, and why.
	except map[string]string
}

// The reasons of exceptions.
const (
	ofLotar  = "as in lotar, whose commands these are"
	ofClimpt = "as in climpt, whose commands these are"
	ofRust   = "as in the Rust chant"
	ofRstn   = "as in rstn, whose commands these are"
	ofUnit   = "a variable of the service that is written"
)

// vocabulary lists the words of flags, by name.
func vocabulary() []word {
	return []word{
		{"add", "", "add a spec for each thing that is missing", nil},
		{"adaptation", "a", "the adaptation of an edition of a prompt", nil},
		{"agent", "", "an agent: of climpt, or one whose files chant writes", nil},
		{"all", "", "all specs that the command can be used on", nil},
		{"allow-overlap", "", "work specs side by side although they are about the same files", nil},
		{"approval", "", "a state of approval", nil},
		{"archived", "", "archived specs, too", nil},
		{"assignee", "", "a person who works on something", nil},
		{"at", "", "a commit", map[string]string{"sprint": ofLotar}},
		{"blocks", "", "what depends on it", nil},
		{"brief", "", "shorter: one line, or without checking prompts", nil},
		{"by", "", "the name or email address of a person who did something, or decides", nil},
		{"capacity-hours", "", "the capacity of a sprint in hours", nil},
		{"capacity-points", "", "the capacity of a sprint in points", nil},
		{"cleanup-missing", "", "first take tasks out of sprints that do not exist", nil},
		{"created-by", "", "the person who wrote a spec", nil},
		{"criterion", "", "an acceptance criterion", nil},
		{"cursor", "", "where a list continues", map[string]string{"task": ofLotar}},
		{"depends-on", "", "dependencies: what must land first", nil},
		{"depth", "", "how many steps away", nil},
		{"description", "", "a text about what it is or does", nil},
		{"dry-run", "", "print what would be done, and do nothing", nil},
		{"due", "", "the day or time by which it is wanted", nil},
		{"edition", "e", "the edition of a prompt", nil},
		{"effort", "", "an estimate of the work", nil},
		{"ends-at", "", "the planned end", nil},
		{"executable", "", "the program chant on another machine", nil},
		{"exit-code", "", "exit with 9 if something is wrong", nil},
		{"field", "", "a custom field and its value", nil},
		{"file", "f", "a file to read, - for standard input", nil},
		{"folder", "", "the folder in which a command runs", nil},
		{"force", "", "include what is skipped otherwise", map[string]string{"index": "as in SwiftIndex, whose command this is", "sprint": ofLotar}},
		{"format", "f", "the form of the output", nil},
		{"fresh", "", "anew, without what is known from before", nil},
		{"from", "", "the day on which a range begins", map[string]string{"sprint": "the sprint that tasks leave"}},
		{"global", "", "all repositories of your settings", map[string]string{"task": ofLotar}},
		{"goal", "", "what a sprint is for", nil},
		{"idle-timeout", "", "how long to wait with nothing to do", nil},
		{"in", "", "a folder to look in", nil},
		{"json", "", "print the result as JSON", nil},
		{"keep-worktree", "", "leave worktree and branch in place", nil},
		{"label", "l", "a label", map[string]string{"sprint": ofLotar}},
		{"land", "", "this machine may also land work", nil},
		{"length", "", "the length of a sprint", nil},
		{"limit", "n", "at most this many", nil},
		{"lines", "", "how many lines", map[string]string{"log": "-n, as in tail"}},
		{"list", "", "only list them", nil},
		{"listen", "", "the host and port to listen on", nil},
		{"max", "", "at most this many specs", nil},
		{"mentions", "", "a person whom a discussion names", nil},
		{"message", "m", "a text that is written", map[string]string{"feature": ofRstn}},
		{"metric", "", "what is counted", nil},
		{"metrics", "", "the port at which figures are served", nil},
		{"model", "", "the model of an agent", nil},
		{"name", "", "a name to give", nil},
		{"no-pager", "", "print without a pager", nil},
		{"notes", "", "notes in Markdown", nil},
		{"now", "", "without waiting for what runs", nil},
		{"offset", "", "leave out this many at the start", nil},
		{"output", "o", "a file or folder to write to", map[string]string{"update": ofRust}},
		{"overdue-after", "", "when a sprint counts as overdue", nil},
		{"parallel", "", "how many side by side", nil},
		{"parent", "", "what it belongs to", nil},
		{"path", "", "a pattern for paths", map[string]string{"fleet": ofUnit}},
		{"plain", "", "print text, and ask nothing", nil},
		{"poll", "", "how often to look", nil},
		{"port", "p", "a port to listen on", nil},
		{"priority", "", "a priority", nil},
		{"project", "", "a project", map[string]string{"task": ofLotar, "fleet": "the name of a queue"}},
		{"prompt", "", "a prompt", map[string]string{"feature": ofRstn}},
		{"provider", "", "an agent CLI, by the name of its provider", nil},
		{"quiet", "q", "no progress on stderr", nil},
		{"ready", "", "only what can be worked or merged now", nil},
		{"repo", "", "a repository of your settings", nil},
		{"reporter", "", "a person who has asked for something", nil},
		{"reverse", "", "the last first", nil},
		{"run", "", "run the criteria of a spec before any work", map[string]string{"log": ofRust}},
		{"runs-on", "", "a label that a machine must have", nil},
		{"since", "", "from this time on", nil},
		{"slots", "", "how many specs a machine works on at once", nil},
		{"sort", "", "an order", nil},
		{"spec", "", "a spec", nil},
		{"sprint", "", "a sprint", map[string]string{"list": "only its number", "search": "only its number"}},
		{"starts-at", "", "the planned start", nil},
		{"status", "s", "a status", nil},
		{"stop-on-error", "", "stop at the first failure", nil},
		{"subtitle", "", "the second line of a title", nil},
		{"svg", "", "a file for a picture", nil},
		{"tag", "", "a tag of a task", nil},
		{"target", "", "a branch on which work lands", nil},
		{"target-file", "", "a file that the work is about", nil},
		{"title", "", "a title", nil},
		{"to", "", "the day on which a range ends", map[string]string{"sprint": "the sprint that tasks join"}},
		{"traces", "", "an address for traces", nil},
		{"tracked", "", "also hooks that are files of the repository", nil},
		{"type", "t", "a type", nil},
		{"until", "", "up to this time", nil},
		{"url", "", "the address at which others reach it", nil},
		{"user", "", "a user of another machine", nil},
		{"uv", "", "a variable of a prompt", nil},
		{"verbose", "v", "print more", nil},
		{"watch", "", "print again every few seconds", nil},
		{"work", "", "also work on it", nil},
		{"yes", "y", "ask nothing", nil},
	}
}

// flagUses lists the commands that have each flag. Hidden ones are left out.
func flagUses(root *cobra.Command) map[string][]string {
	out := map[string][]string{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				out[f.Name] = append(out[f.Name], strings.TrimPrefix(c.CommandPath(), root.Name()+" "))
			}
		})
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				walk(sub)
			}
		}
	}
	walk(root)
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			out[f.Name] = append(out[f.Name], "every command")
		}
	})
	return out
}

// wordsPage is the table of flags as a page of the manual, in which the name of a flag stands for one meaning.
func wordsPage(root *cobra.Command) string {
	uses := flagUses(root)
	var b strings.Builder
	b.WriteString("| flag | meaning | commands |\n| --- | --- | --- |\n")
	known := vocabulary()
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		at := slices.IndexFunc(known, func(w word) bool { return w.name == name })
		if at < 0 {
			continue
		}
		w := known[at]
		flag := "--" + name
		if w.short != "" {
			flag = "-" + w.short + ", " + flag
		}
		commands := slices.Sorted(slices.Values(uses[name]))
		means := w.means
		for _, c := range slices.Sorted(maps.Keys(w.except)) {
			means += fmt.Sprintf("; other in `%s` (%s)", c, w.except[c])
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", flag, means, strings.Join(commands, ", "))
	}
	return b.String()
}
