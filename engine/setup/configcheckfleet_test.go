package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestCheckConfig_fleet: what the settings of a fleet name exists.
func TestCheckConfig_fleet(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(home, "fleet.creds"), []byte("x"), 0o600))
	for name, c := range map[string]struct{ fleet, want string }{
		"no fleet":          {"{remote: gone, credentials: /gone}", ""},
		"nothing is there":  {"{url: nats://a,\n  credentials: ~/gone, ca: .chant/gone.pem,\n  remote: gone}", "4 fleet.credentials, 4 fleet.ca, 5 fleet.remote"},
		"a folder, no file": {"{url: nats://a, credentials: ~/, remote: hub}", "3 fleet.credentials"},
		"all is there":      {"{url: nats://a, credentials: ~/fleet.creds, ca: .chant/config.md, remote: hub}", ""},
		"the usual remote":  {"{url: nats://a}", "3 fleet.remote"},
		"accounts":          {"\n  accounts: {claude: {}, shell: {},\n    nobody: {starts_per_minute: 1}}", "5 fleet.accounts"},
		"an unknown key":    {"{server: a}", "3 unknown key \"fleet.server\" does nothing"},
	} {
		_, dir := initialized(t)
		enginetest.Git(t, dir, "remote", "add", "hub", "/nowhere")
		enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\nfleet: "+c.fleet+"\n---\n")
		r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}}, CheckConfigInput{})
		assert.NoError(t, err)
		var got []string
		for _, f := range r.Findings {
			text, _, _ := strings.Cut(f.Message, ":")
			got = append(got, fmt.Sprintf("%d %s", f.Line, text))
		}
		assert.Equal(t, c.want, strings.Join(got, ", "), "%s", name)
	}
}
