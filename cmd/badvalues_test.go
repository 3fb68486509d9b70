package cmd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/setup"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// goWords matches what a library of Go says of a value and a person cannot use.
func goWords() *regexp.Regexp {
	return regexp.MustCompile(`strconv|Parse(Int|Float|Bool|Uint)|Atoi|unmarshal|time: |\bu?int(8|16|32|64)?\b|float(32|64)|\[\]string|map\[|interface|reflect|%!|engine\.|spec\.\w|yaml: |json: |parse error|invalid syntax`)
}

// eachFlag calls do with every flag of every command, hidden ones too.
func eachFlag(do func(c *cobra.Command, f *pflag.Flag)) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.DisableFlagParsing {
			return // arguments of a hook are not flags of chant
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { do(c, f) })
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) { do(c, f) })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&console.App{}))
}

// lineOf is a command line with a value for one flag.
func lineOf(c *cobra.Command, f *pflag.Flag, value string) []string {
	args := append(strings.Fields(c.CommandPath())[1:], "--"+f.Name+"="+value)
	if strings.Contains(c.Use, "ID") || strings.Contains(c.Use, "TEXT") || strings.Contains(c.Use, "QUERY") {
		args = append(args, "001")
	}
	switch c.CommandPath() {
	case "chant fleet join":
		args = append(args, "nats://127.0.0.1:1")
	case "chant fleet invite":
		args = append(args, "x")
	case "chant fleet unit", "chant fleet containerfile":
		args = append(args, "--", "up")
	}
	return args
}

// TestFlags_badValues gives bad values to every flag of every command. What is refused is
// refused as a wrong use of that flag, with what is allowed, and not in the words of a
// library. Numbers get all of the values, others two each.
func TestFlags_badValues(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what takes its value ends before it does anything
	dir, flags := t.TempDir(), 0
	values := []string{"x", "-1", "1.5", "99999999999999999999", "1e400", "maybe", "\x01", "{a: b}", `a"b`, `"`, "[", "5x", "0x", "%!d"}
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		flags++
		numbers := f.Value.Type() == "int" || f.Value.Type() == "bool"
		given := values
		if f.Value.Type() != "int" {
			given = []string{values[flags%len(values)], values[(flags+len(values)/2)%len(values)]}
		}
		for _, value := range given {
			var out, errs bytes.Buffer
			args := lineOf(c, f, value)
			code := Main(ctx, args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir})
			text := strings.ReplaceAll(errs.String(), fmt.Sprintf("%q", value), "")
			if found := goWords().FindString(text); found != "" {
				t.Errorf("chant %q: %q in %s", args, found, errs.String())
			}
			if numbers && (code != 2 || !strings.Contains(text, "--"+f.Name) || !strings.Contains(text, "(use ")) {
				t.Errorf("chant %q: exit %d, %s", args, code, errs.String())
			}
		}
	})
	assert.True(t, flags >= 250, "only %d flags", flags)
}

// TestFlags_textsThatMeanSomething: a flag that takes a text either takes any, or refuses
// what means nothing in it and says what is allowed.
func TestFlags_textsThatMeanSomething(t *testing.T) {
	t.Parallel()
	refused := map[string]string{
		"queue --target": "x", "queue hold --target": "x", "queue resume --target": "x", "queue --cursor": "x", "list --cursor": "x", "ready --cursor": "x", "search --cursor": "x", "activity --cursor": "x", "drift --cursor": "x", "converge --cursor": "x", "converge --provider": "shell", "worktree status --cursor": "x",
		"site serve --repo": "x", "site serve --project": "x",
		"list --repo": "x", "list --project": "x", "search --repo": "x", "search --project": "x", "status --repo": "x", "status --project": "x", "board --repo": "x", "board --project": "x", "serve --repo": "x", "serve --project": "x",
		"work --timeout": "5x", "prove --budget": "5x", "prove --wrong-agent": "shell", "watch --idle-timeout": "5x", "watch --poll": "0", "watch start --idle-timeout": "-1h", "watch start --poll": "x",
		"log --since": "someday", "activity --since": "someday", "activity --until": "x", "activity --spec": "x", "stats --since": "x",
		"list --activity-since": "x", "list --since": "x", "list --until": "x", "list --approval": "x", "list --columns": "x", "list --sort": "x",
		"search --activity-since": "x", "search --since": "x", "search --until": "x", "search --approval": "x",
		"archive --older-than": "x", "archive --restore": "x", "merge --adopt": "x", "reset --prompt": "x", "verify --prompt": "x",
		"dag --status": "x", "dag --detail": "x", "dag --type": "x", "dag --format": "x", "list --status": "x", "search --status": "x", "update --status": "x", "export --status": "x", "export --format": "x",
		"export --from": "2026-13-45", "export --to": "x", "export --fields": "x", "lint --format": "x", "verify --format": "x", "verify --at": "x",
		"verify --changed": "x", "drift --at": "x", "init --agent": "x", "init --ci": "x", "reject --action": "x", "mcp --tools": "x", "mcp --toolsets": "x",
		"mcp --http": "x", "mcp --session": "x", "add --depends-on": "x", "add --runs-on": "a b", "update --runs-on": "a b", "update --depends-on": "x", "add --group": "x", "verify --provider": "x", "split --provider": "x", "plan --provider": "x", "plan revise --provider": "x", "plan --from-issue": "x", "plan --from-todo": "[",
		"plan change --drop": "x", "plan change --join": "x", "plan change --split": "x", "plan change --move": "x", "plan change --of": "x", "plan change --criteria": "x",
		"work --provider": "x", "work --onto": "x", "merge --provider": "x", "approve --by": "x", "reject --by": "x", "work --prompt": "x", "prompt render --prompt": "x",
		"add --type": "x", "init --provider": "x", "add --due": "someday", "add --effort": "much", "add --template": "x", "add --var": "x",
		"task create --due": "someday", "task create --effort": "much", "task create --sprint": "x", "task create --field": "x", "task create --project": "../x",
		"task create --depends-on": "x", "task create --blocks": "x", "task create --parent": "x", "task create --priority": "x", "task create --type": "x",
		"task create --status": "x", "task list --status": "x", "task list --priority": "x", "task list --type": "x", "task list --sprint": "x",
		"task list --field": "x", "task list --sort": "x", "task update --due": "someday", "task update --effort": "much", "task update --sprint": "x",
		"task update --field": "x", "task update --depends-on": "x", "task update --blocks": "x", "task update --parent": "x", "task update --related": "x",
		"task update --child": "x", "task update --fixes": "x", "task update --duplicate-of": "x", "task update --priority": "x", "task update --type": "x",
		"task update --status": "x", "task config --project": "../x", "task config set --project": "../x",
		"sprint add --to": "x", "sprint remove --from": "x", "sprint start --at": "x", "sprint close --at": "x", "sprint backlog --status": "x",
		"sprint backlog --project": "x", "sprint burndown --metric": "x", "sprint velocity --metric": "x",
		"code --in": "x", "code --path": "[", "code --semantic-weight": "2", "docs --in": "x", "docs --path": "[", "research --focus": "x", "research --in": "x",
		"command list --agent": "../x", "command search --agent": "../x", "command show --agent": "x", "command registry --agent": "../x",
		"command run --agent": "x", "command run --edition": "x", "command run --adaptation": "x", "command run --file": "x", "command run --destination": "x",
		"command run --spec": "x", "command run --work-on": "x", "command run --uv": "x", "command new --agent": "x", "command new --edition": "x", "command new --adaptation": "x",
		"site build --output": ".chant", "site build --url": "example.com",
		"review --on": "x", "review --by": "x",
		"fleet up --listen": "localhost", "fleet up --host": "a b", "fleet up --label": "a b", "fleet up --name": "a b", "fleet up --project": "a b",
		"fleet up --metrics": "x", "fleet up --traces": "x", "fleet join --metrics": "x", "fleet join --traces": "x",
		"fleet join --remote": "-x", "fleet join --label": "a b", "fleet join --name": "a b", "fleet join --project": "a b", "fleet join --ca": "none.pem",
		"fleet join --credentials": "none.seed", "fleet invite --url": "http://x", "fleet invite --output": "none/x.fleet",
		"fleet unit --user": "a b", "fleet unit --executable": "$x", "fleet containerfile --user": "a b", "fleet containerfile --executable": "/x",
		"fleet containerfile --folder": "x",
		"key init --ssh":               "none", "key trust --key": "none", "verify --attestation": "x.json",
		"command new --uv": "x", "command new --file": "x", "command new --title": "x", "command new --description": "x",
	}
	free := []string{
		"list --created-by", "list --mentions", "reset --branch", "site serve --output", "search --created-by", "search --assignee", "search --label", "search --priority", "search --type",
		"fleet join --dir", "fleet unit --folder", "fleet unit --path", "fleet containerfile --path", "dag --label", "dag --output", "activity --by", "stats --svg",
		"feature report --prompt", "feature report --message",
		"code --extensions", "site build --title",
		"add --criterion", "add --label", "add --prompt", "add --provider", "add --target-file", "ci --codequality", "ci --junit", "ci --sarif",
		"ci --summary", "demo --keep", "export --label", "export --output", "export --type", "init --model", "init --name", "init --verify", "list --label", "list --type",
		"loop --tools", "mcp --allow-host", "merge --model", "reject --reason", "review --comment", "split --model", "plan --model", "plan revise --model", "plan change --title", "plan change --criterion", "update --label", "update --model", "update --output",
		"add --priority", "add --assignee", "add --reporter", "list --assignee", "list --priority",
		"task create --description", "task create --criterion", "task create --assignee", "task create --reporter", "task create --subtitle", "task create --tag",
		"task list --project", "task list --tag", "task list --assignee", "task list --search", "task show --project", "task delete --project",
		"task update --title", "task update --description", "task update --assignee", "task update --reporter", "task update --subtitle", "task update --tag",
		"task update --project", "task comment --project", "task comment --message", "task reference add --project", "task reference remove --project",
		"sprint backlog --assignee", "sprint backlog --tag", "sprint burndown --svg", "sprint velocity --svg", "sprint create --ends-at",
		"sprint create --goal", "sprint create --length", "sprint create --notes", "sprint create --overdue-after", "sprint create --starts-at",
		"sprint update --ends-at", "sprint update --goal", "sprint update --label", "sprint update --length", "sprint update --notes",
		"sprint update --overdue-after", "sprint update --starts-at",
		"update --target-file", "verify --label", "watch --label", "watch start --label", "work --label", "work --model",
	}
	dir := emptyProject(t)
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		name := strings.TrimPrefix(c.CommandPath(), "chant ") + " --" + f.Name
		value, bad := refused[name]
		switch {
		case f.Value.Type() == "int" || f.Value.Type() == "bool" || slices.Contains(free, name) || f.Deprecated != "":
			return
		case !bad:
			t.Errorf("%s is in neither list", name)
			return
		}
		var out, errs bytes.Buffer
		args := lineOf(c, f, value)
		s := Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Environ: os.Environ()}
		code := Main(t.Context(), args, s)
		text := strings.ReplaceAll(errs.String(), `"`+value+`"`, "")
		if found := goWords().FindString(text); found != "" || code == 0 || code == 1 || !strings.Contains(errs.String(), "hint: ") {
			t.Errorf("chant %q: exit %d, %q in %s", args, code, found, errs.String())
		}
	})
}

// TestEnvironment_badValues: a variable of chant's own that means nothing is refused in
// plain words, or does no harm.
func TestEnvironment_badValues(t *testing.T) {
	t.Parallel()
	dir := emptyProject(t)
	names := []string{"CHANT_SPEC_ID", "CHANT_RUN_ID", "CHANT_WORKTREE", "CHANT_WORKTREE_PATH", "CHANT_TIMEOUT", "CHANT_ATTEMPT", "CHANT_LINEAGE", "CHANT_PORT_BASE", "CHANT_MCP_TOKEN"}
	for _, name := range names {
		for _, value := range []string{"x", "-1", "99999999999999999999", "../..", "{a: b}"} {
			for _, args := range [][]string{{"status"}, {"list"}, {"work", "001"}, {"mcp"}, {"config"}} {
				var out, errs bytes.Buffer
				s := Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Environ: append(os.Environ(), name+"="+value)}
				code := Main(t.Context(), args, s)
				assert.NotEqual(t, 1, code, "%s=%s chant %q", name, value, args)
				assert.False(t, goWords().MatchString(errs.String()), "%s=%s chant %q: exit %d, %s", name, value, args, code, errs.String())
			}
		}
	}
}

// emptyProject is a repository with a project and one spec in it.
func emptyProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	_, err := setup.Init(t.Context(), dir, engine.Options{Environ: os.Environ()}, setup.InitInput{Provider: "shell"})
	assert.NoError(t, err)
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nstatus: pending\n---\n\n# Begin\n")
	return dir
}
