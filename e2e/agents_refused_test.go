package e2e

import (
	"slices"
	"strings"
	"testing"

	"chant/e2e/fakemodel"

	"github.com/alecthomas/assert/v2"
)

// TestAgents_refused has the model's API refuse the key and the model of each agent. However often it asks again by itself,
// the run ends at once, says why, and leads to what can help.
func TestAgents_refused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		befall func(*fakemodel.Server)
		reason string
	}{
		{"wrong key", (*fakemodel.Server).WrongKey, "the model's API does not accept the key or login ("},
		{"unknown model", (*fakemodel.Server).UnknownModel, "the model's API does not know the model ("},
	} {
		for _, c := range realCLIs() {
			t.Run(c.name+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				c := patient(c)
				model := fakemodel.Start(t)
				tc.befall(model)
				p := newAgentProject(t, c, model)
				id := p.add("Greet the reader", "reads well")

				r := execute(t, p.dir, p.env, p.chant, "work", id, "--provider", c.name, "--model", c.model)

				assert.Equal(t, 8, r.code)
				assert.HasSuffix(t, r.stderr, "\nhint: chant config --validate\n")
				p.wantFailed(id, tc.reason)
				// Some ask until they have ended on the signal, but none as often as it would by itself (claude 10 times).
				if n := strings.Count(p.log(id), "warning: "); n > 4 {
					t.Errorf("asked again %d times:\n%s", n, p.log(id))
				}
				p.wantNobodyAlive()
			})
		}
	}
}

// TestAgents_askAgain has the model's API be too busy once. The agent waits for it by itself, and the log says so: who
// asks in vain for too long is stopped. Then the model only talks, which is no work.
func TestAgents_askAgain(t *testing.T) {
	t.Parallel()
	for _, c := range realCLIs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c := patient(c)
			model := fakemodel.Start(t, fakemodel.Turn{Text: "One could write a greeting."})
			model.BusyOnce()
			p := newAgentProject(t, c, model)
			id := p.add("Greet the reader", "reads well")

			p.want(8, "work", id, "--provider", c.name, "--model", c.model)

			p.wantFailed(id, "without a commit or a change")
			log := p.log(id)
			assert.Contains(t, log, "warning: ", "the log does not say that the agent asks again, or not what it answered:")
			assert.Contains(t, log, "One could write a greeting.", "the log does not say that the agent asks again, or not what it answered:")
			p.wantNobodyAlive()
		})
	}
}

// patient is a CLI with as many attempts as it has by itself.
func patient(c realCLI) realCLI {
	env, settings := c.env, c.settings
	c.project = strings.Replace(c.project, ", max_retries: 0", "", 1)
	c.env = func(url string) []string {
		return slices.DeleteFunc(env(url), func(kv string) bool { return strings.HasPrefix(kv, "CLAUDE_CODE_MAX_RETRIES=") })
	}
	if settings == nil {
		return c
	}
	c.settings = func(url string) map[string]string {
		files := settings(url)
		for path, text := range files {
			text = strings.ReplaceAll(text, "request_max_retries = 0\nstream_max_retries = 1\n", "")
			files[path] = strings.NewReplacer(`{"maxAttempts": 1}`, `{}`, `{"maxRetries": 0}`, `{}`).Replace(text)
		}
		return files
	}
	return c
}
