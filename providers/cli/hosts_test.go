package cli

import (
	"os"
	"path/filepath"
	"testing"

	"chant/providers"
	"chant/providers/proxy"

	"github.com/alecthomas/assert/v2"
)

// TestHosts: an agent's hosts are those of the table, and those of URLs that are set for it.
func TestHosts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		def  Definition
		env  []string
		want []string
	}{
		"none":            {Definition{}, nil, nil},
		"the table":       {Definition{Hosts: []string{"a.com"}, URLs: []string{"URL"}}, nil, []string{"a.com"}},
		"a URL":           {Definition{Hosts: []string{"a.com"}, URLs: []string{"URL"}}, []string{"URL=https://b.com/v1"}, []string{"a.com", "b.com:443"}},
		"plain HTTP":      {Definition{URLs: []string{"URL"}}, []string{"URL=http://user@b.com"}, []string{"b.com:80"}},
		"this machine":    {Definition{URLs: []string{"URL"}}, []string{"URL=http://[::1]:8080/x"}, []string{"[::1]:8080"}},
		"another's URL":   {Definition{URLs: []string{"URL"}}, []string{"OTHER=https://b.com"}, nil},
		"an endpoint":     {Definition{Endpoint: "http://127.0.0.1:1/v1"}, nil, []string{"127.0.0.1:1"}},
		"no URL":          {Definition{URLs: []string{"URL", "EMPTY"}}, []string{"URL=b.com", "EMPTY="}, nil},
		"the same twice":  {Definition{Endpoint: "http://b.com", URLs: []string{"URL"}}, []string{"URL=http://b.com:80"}, []string{"b.com:80"}},
		"another scheme":  {Definition{URLs: []string{"URL"}}, []string{"URL=unix:///run/x"}, nil},
		"what is invalid": {Definition{URLs: []string{"URL"}}, []string{"URL=http://%"}, nil},
	} {
		assert.Equal(t, c.want, c.def.hosts(c.env), "%s", name)
	}
}

// TestHosts_known: each CLI that is known names hosts that can be allowed, and its agents get them.
func TestHosts_known(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range append(BuiltIns(), LoopNames()...) {
		if d, ok := BuiltIn(name); ok {
			assert.NoError(t, os.WriteFile(filepath.Join(dir, d.Command), []byte("#!/bin/sh\n"), 0o755))
		}
		p, _ := Provider(name)
		in := providers.Invocation{
			Worktree: dir, StateDir: t.TempDir(), PromptFile: filepath.Join(dir, "prompt.md"), Chant: filepath.Join(dir, "chant"), Model: "m",
			Environ: []string{"PATH=" + dir, "OPENAI_API_KEY=a-key-of-tests", "ANTHROPIC_API_KEY=a-key-of-tests"},
		}
		launch, err := p.Prepare(in)
		assert.NoError(t, err, "%s: hosts %q", name, launch.Hosts)
		assert.NotEqual(t, 0, len(launch.Hosts), "%s: hosts %q", name, launch.Hosts)
		for _, text := range launch.Hosts {
			_, err := proxy.Parse(text)
			assert.NoError(t, err, "%s", name)
		}
	}
}
