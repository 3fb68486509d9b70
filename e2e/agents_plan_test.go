package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_plan has the real claude plan an idea, with a question, and correct a criterion that holds already. The plan is
// accepted and lands without an id being typed.
func TestAgents_plan(t *testing.T) {
	t.Parallel()
	forRelease(t, "providers or mcp")
	c := claudeCLI()
	model := fakemodel.Start(t)
	p := newAgentProject(t, c, model)
	const form = `{"title": "Greet", "questions": [{"question": "Which language?", "proposed": "English"}], "specs": [
	  {"title": "Write greet.sh", "what": "It says hello.", "target_files": ["greet.sh"], "criteria": [{"text": "It greets", "command": "COMMAND"}]}]}`
	model.Play(func(r fakemodel.Request) []fakemodel.Turn {
		if !strings.Contains(r.Prompt, "# Plan an idea") {
			return nil
		}
		command := "true"
		if strings.Contains(r.Prompt, "What became of your criteria") {
			command = "sh greet.sh | grep -q hello"
		}
		return []fakemodel.Turn{{Text: "This is the plan:\n\n```json\n" + strings.Replace(form, "COMMAND", command, 1) + "\n```"}}
	})
	out := p.want(0, "plan", "Greet people", "--provider", c.name, "--yes")
	assert.Contains(t, out, "red        It greets `$ sh greet.sh | grep -q hello`")
	assert.Contains(t, out, "English")
	assert.Contains(t, last(model).Prompt, "criterion 1, `true`: it holds already")
	assert.Contains(t, last(model).Prompt, "Greet people")
	model.Play(script(func(at task) []fakemodel.Turn {
		return oneByOne([]fakemodel.Call{
			c.words.write(filepath.Join(at.tree, "greet.sh"), "echo hello\n"), c.words.shell("git add -A && git commit -q -m 'Write a greeting'"),
		}, "It is done.")
	}))
	p.want(0, "work", "--all", "--provider", c.name)
	assert.Contains(t, p.git("show", "main:greet.sh"), "echo hello")
	assert.Contains(t, p.want(0, "plan", "list"), "1 of 1 done")
	p.wantNothingLeft()
}
