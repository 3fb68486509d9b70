package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// groupingPrompt is the text of a command. The scripted model commits the groups that it lists, and nothing else.
const groupingPrompt = `# Group the changes and commit them

Make one commit for each of these groups, in this order, with this message in {uv-language}:

- ` + "`docs`" + `: Describe the greeting
- ` + "`src`" + `: Greet the reader

Leave other files as they are.
`

// commitGroup finds a group in the text of the command: a folder and a message.
var commitGroup = regexp.MustCompile("(?m)^- `([a-z]+)`: (.+)$")

// addGrouping adds the command git/group-commit/unstaged-changes, and another one.
func (p *agentProject) addGrouping() {
	p.t.Helper()
	text := filepath.Join(p.home, "grouping.md")
	p.write(text, groupingPrompt)
	p.want(0, "command", "new", "git", "group-commit", "unstaged-changes", "--from", text, "--uv", "language=Language of the messages",
		"--description", "Group file changes by semantic proximity and execute multiple commits sequentially")
	p.want(0, "command", "new", "git", "decide-branch", "working-branch", "--description", "Analyze task content and decide whether to create a new branch")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Commands")
}

// wantGroups checks the commits behind a commit: each group's own, with its file.
func (p *agentProject) wantGroups(since string) {
	p.t.Helper()
	got := p.git("log", "--reverse", "--no-merges", "--format=%s", "--name-only", since+"..main", "--", "docs", "src", "notes.txt")
	if want := "Describe the greeting\n\ndocs/hello.md\nGreet the reader\n\nsrc/hello.txt"; got != want {
		p.t.Errorf("commits of the agent are\n%s\nwant\n%s", got, want)
	}
}

// TestAgents_commands has the real claude search for a command, read what it takes, get its prompt, and do what that
// says. Each act of the model follows from what the last tool returned.
func TestAgents_commands(t *testing.T) {
	t.Parallel()
	c := claudeCLI()
	model := fakemodel.StartScript(t, groupByCommand)
	p := newAgentProject(t, c, model)
	p.addGrouping()
	for _, file := range []string{"docs/hello.md", "src/hello.txt", "notes.txt"} {
		p.write(filepath.Join(p.dir, filepath.FromSlash(file)), "Hello, reader\n")
	}
	before := p.git("rev-parse", "main")
	climpt := map[string]any{"command": p.chant, "args": []string{"mcp", "--toolsets", "commands"}}
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"climpt": climpt}})
	assert.NoError(t, err)

	r := execute(t, p.dir, p.env, filepath.Join(filepath.Dir(p.home), "bin", "claude"),
		"-p", "Group my changes and commit them.", "--mcp-config", string(servers), "--strict-mcp-config", "--model", "m",
		"--allowedTools", "Bash,mcp__climpt__search,mcp__climpt__describe,mcp__climpt__execute")
	assert.Equal(t, 0, r.code, "claude: exit %s", r.stderr)
	assert.Contains(t, r.out, "It is done.", "claude: exit %s", r.stderr)

	results := longest(model)
	assert.Equal(t, 5, len(results), "the tools returned %+v", results)
	for i, want := range [][]string{
		{`"c2":"group-commit"`, `"description":"Group file changes by semantic proximity`, `"score":`},
		{`"c3":"unstaged-changes"`, "Language of the messages"},
		{"Group the changes and commit them", "with this message in English:", "Leave other files as they are."},
	} {
		for _, part := range want {
			assert.False(t, results[i].IsError, "result %d lacks %q:\n%s", i+1, part, results[i].Text)
			assert.Contains(t, results[i].Text, part, "result %d lacks", i+1)
		}
	}
	p.wantGroups(before)
	assert.Equal(t, "?? notes.txt", p.git("status", "--porcelain"), "git status prints")
	p.wantNobodyAlive()
}

// groupByCommand is a model that finds a command for the task and follows its text. It knows no command, no variable
// and no group in advance: each call follows from what the last tool returned.
func groupByCommand(r fakemodel.Request) []fakemodel.Turn {
	tool := serverTools("mcp__climpt__")
	calls := []fakemodel.Call{tool("search", map[string]any{"query": "group changes and commit", "agent": "climpt"})}
	if hits := recordsIn(r, 0); len(hits) > 0 {
		calls = append(calls, tool("describe", hits[0].words(nil)))
	}
	if records := recordsIn(r, 1); len(records) > 0 {
		calls = append(calls, tool("execute", records[0].words(map[string]any{"options": records[0].options()})))
	}
	if len(r.Results) > 2 {
		calls = append(calls, commitGroups(instruction(r.Results[2].Text))...)
	}
	return oneByOne(calls, "It is done.")
}

// commandRecord is a command as the tools describe it.
type commandRecord struct {
	C1, C2, C3 string
	UV         []map[string]string
}

// recordsIn reads the commands in the result of one call, the structured content of which claude shows the model.
func recordsIn(r fakemodel.Request, call int) []commandRecord {
	var out struct{ Results, Commands []commandRecord }
	if call >= len(r.Results) || json.Unmarshal([]byte(r.Results[call].Text), &out) != nil {
		return nil
	}
	return append(out.Results, out.Commands...)
}

// words are the arguments that name the command, with further ones.
func (c commandRecord) words(more map[string]any) map[string]any {
	args := map[string]any{"agent": "climpt", "c1": c.C1, "c2": c.C2, "c3": c.C3}
	maps.Copy(args, more)
	return args
}

// options gives each variable of the command a value.
func (c commandRecord) options() map[string]any {
	out := map[string]any{}
	for _, variable := range c.UV {
		for name, about := range variable {
			if strings.HasPrefix(about, "Language") {
				out["uv-"+name] = "English"
			}
		}
	}
	return out
}

// instruction is the prompt in the result of execute.
func instruction(result string) string {
	var out struct{ Text string }
	if json.Unmarshal([]byte(result), &out) != nil {
		return result
	}
	return out.Text
}

// commitGroups commits what the text of a command asks for.
func commitGroups(text string) []fakemodel.Call {
	var calls []fakemodel.Call
	for _, group := range commitGroup.FindAllStringSubmatch(text, -1) {
		calls = append(calls, claudeWords().shell(fmt.Sprintf("git add -- '%s' && git commit -q -m '%s'", group[1], group[2])))
	}
	return calls
}

// TestAgents_commandOfSpec has the real claude work a spec with a command as its prompt: its first message has the text
// of the command and that of the spec, it does what both say, and the work lands.
func TestAgents_commandOfSpec(t *testing.T) {
	t.Parallel()
	forRelease(t, "providers or engine/prompt")
	c := claudeCLI()
	model := fakemodel.StartScript(t, followBoth)
	p := newAgentProject(t, c, model)
	p.addGrouping()
	id := p.add("Greet the reader\n\nWrite `docs/hello.md` and `src/hello.txt`.", "greeting exists `$ test -f src/hello.txt`", "reads well")
	before := p.git("rev-parse", "main")

	p.want(0, "work", id, "--provider", c.name, "--model", c.model, "--prompt", "git/group-commit/unstaged-changes")

	first := firstPrompt(model)
	for _, part := range []string{
		"# Group the changes and commit them", "this message in {uv-language}:", "`docs`: Describe the greeting",
		"`" + id + "`", "Write `docs/hello.md`", "reads well",
	} {
		assert.Contains(t, first, part, "the first message lacks")
	}
	if strings.Index(first, "# Group the changes") > strings.Index(first, "Write `docs/hello.md`") {
		t.Errorf("the text of the command is not first:\n%s", first)
	}
	p.wantGroups(before)
	onMain := p.git("show", "main:.chant/specs/"+id+".md")
	for _, want := range []string{"\nstatus: completed\n", "- [x] greeting exists", "- [x] reads well"} {
		assert.Contains(t, onMain+"\n", want, "spec on main lacks %s", onMain)
	}
	p.wantNothingLeft()
}

// fileToWrite finds the files that the text of a spec names.
var fileToWrite = regexp.MustCompile("(?:Write|and) `([a-z]+/[a-z.]+)`")

// followBoth is a model that writes the files that a spec names, and commits them as the command says.
func followBoth(r fakemodel.Request) []fakemodel.Turn {
	return script(func(t task) []fakemodel.Turn {
		v := claudeWords()
		var calls []fakemodel.Call
		for _, file := range fileToWrite.FindAllStringSubmatch(r.Prompt, -1) {
			calls = append(calls, v.write(filepath.Join(t.tree, filepath.FromSlash(file[1])), "Hello, reader\n"))
		}
		calls = append(calls, commitGroups(r.Prompt)...)
		calls = append(calls, v.mcp("chant_criterion_check", map[string]any{"id": t.id, "criterion": "2"}))
		return oneByOne(calls, "It is done.")
	})(r)
}

// firstPrompt is the first message to a model that names a spec.
func firstPrompt(model *fakemodel.Server) string {
	for _, r := range model.Requests() {
		if specPath.MatchString(r.Prompt) {
			return r.Prompt
		}
	}
	return ""
}
