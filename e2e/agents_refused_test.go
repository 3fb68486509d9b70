package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chant/e2e/fakemodel"
)

// TestAgents_refused has the model's API refuse those agents for good that would ask again.
// However often they do so by themselves, the run ends at once and says why.
func TestAgents_refused(t *testing.T) {
	t.Parallel()
	const key, model = "does not accept the key", "does not know the model"
	for _, tc := range []struct {
		cli    realCLI
		status int
		reason string
	}{
		{claudeCLI(), http.StatusUnauthorized, key},
		{claudeCLI(), http.StatusNotFound, "issue with the selected model"}, // it gives up by itself
		{codexCLI(), http.StatusUnauthorized, key},
		{codexCLI(), http.StatusNotFound, model},
		{copilotCLI(), http.StatusUnauthorized, key},
		{copilotCLI(), http.StatusNotFound, model},
		{ourLoop("anthropic", ""), http.StatusUnauthorized, "401"},
		{ourLoop("anthropic", ""), http.StatusForbidden, "403"},
	} {
		t.Run(fmt.Sprintf("%s/%d", tc.cli.name, tc.status), func(t *testing.T) {
			t.Parallel()
			c := patient(tc.cli)
			model := fakemodel.Start(t)
			model.Fail(tc.status)
			p := newAgentProject(t, c, model)
			id := p.add("Greet the reader", "reads well")

			p.want(8, "work", id, "--provider", c.name, "--model", c.model)

			p.wantFailed(id, tc.reason)
			if n := strings.Count(p.log(id), "warning: "); n > 1 {
				t.Errorf("asked again %d times:\n%s", n, p.log(id))
			}
			p.wantNobodyAlive()
		})
	}
}

// patient is a CLI with as many attempts as it has by itself.
func patient(c realCLI) realCLI {
	env, settings := c.env, c.settings
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
