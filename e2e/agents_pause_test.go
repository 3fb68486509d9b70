package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_pause stops each agent in the midst of a command that it runs, in a
// process group of its own as all of them do. Nothing of it lives on, and the same
// conversation continues later.
func TestAgents_pause(t *testing.T) {
	t.Parallel()
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.Start(t)
			p := newAgentProject(t, c, model)
			begun := p.everywhere("begun")
			model.Play(c.words.greetLate(begun))
			id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`")
			worker := exec.CommandContext(t.Context(), p.chant, "work", id, "--provider", c.name, "--model", c.model)
			worker.Dir, worker.Env = p.dir, p.env
			out, err := os.Create(filepath.Join(p.home, "out"))
			assert.NoError(t, err)
			defer out.Close()
			worker.Stdout, worker.Stderr = out, out
			assert.NoError(t, worker.Start())
			if !eventually(func() bool { _, err := os.Stat(begun); return err == nil }) {
				text, _ := os.ReadFile(out.Name()) // what there is of it
				t.Fatalf("the agent runs no command:\n%s", text)
			}

			p.want(0, "pause", id)

			assert.Error(t, worker.Wait(), "a run that was paused ends well")
			p.wantStatus(id, "paused", "")
			p.wantNobodyAlive()

			p.want(0, "work", id, "--continue", "--provider", c.name, "--model", c.model)

			if prompt := last(model).Prompt; !strings.Contains(prompt, "This is attempt 1.") || !strings.Contains(prompt, "This is attempt 2.") {
				t.Errorf("the conversation does not go on, its prompts are:\n%s\n%s", prompt, p.log(id))
			}
			assert.HasPrefix(t, p.git("show", "main:hello.txt"), "Hello", "hello.txt on main")
			p.wantOnce(id, model)
			p.wantNothingLeft()
		})
	}
}

// last is the last request that took part in the script.
func last(model *fakemodel.Server) fakemodel.Request {
	var last fakemodel.Request
	for _, r := range model.Requests() {
		if len(r.Tools) > 0 {
			last = r
		}
	}
	return last
}
