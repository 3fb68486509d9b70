package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_judge has each agent asked for an opinion by a model that tries to write
// all the same, with a tool and by the shell. Its verdict would not count had it
// changed anything.
func TestAgents_judge(t *testing.T) {
	t.Parallel()
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.Start(t)
			p := newAgentProject(t, c, model)
			id := p.add("Greet the reader", "reads well")
			criterion := p.show(id).Criteria[0].ID
			model.Play(func(fakemodel.Request) []fakemodel.Turn {
				return oneByOne([]fakemodel.Call{
					c.words.write(filepath.Join(p.dir, "meddled.txt"), "by a tool"),
					c.words.shell("echo by the shell > meddled.txt; git add -A && git commit -q -m Meddled"),
				}, `{"verdicts": [{"id": "`+criterion+`", "verdict": "pass", "reason": "It does."}]}`)
			})

			assert.Contains(t, p.want(0, "verify", id, "--provider", c.name, "--no-write"), "judged by an agent")
			if len(longest(model)) != 2 {
				t.Errorf("answers of the tools: %+v", longest(model))
			}
			_, err := os.Stat(filepath.Join(p.dir, "meddled.txt"))
			assert.Error(t, err, "the judge has written into the project")
			p.wantNothingLeft()
		})
	}
}
