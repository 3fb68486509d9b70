package config

import (
	"cmp"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestSandbox reads the section as a word and as a mapping.
func TestSandbox(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]SandboxConfig{
		"":                                   {Mode: SandboxAuto},
		"sandbox: on":                        {Mode: SandboxOn},
		"sandbox: off":                       {Mode: SandboxOff},
		"sandbox: true":                      {Mode: SandboxOn},
		"sandbox: {write: /opt/x}":           {Mode: SandboxAuto, Write: spec.StringList{"/opt/x"}},
		"sandbox: {mode: on, network: none}": {Mode: SandboxOn, Network: NoNetwork},
		"sandbox: {network: all}":            {Mode: SandboxAuto},
		"sandbox: {network: [443, 80, 443]}": {Mode: SandboxAuto, Network: "443,80"},
		"sandbox: {push: true}":              {Mode: SandboxAuto, Push: true},
		"sandbox: {network: 443}":            {Mode: SandboxAuto, Network: "443"},
		"sandbox: {network: []}":             {Mode: SandboxAuto, Network: NoNetwork},
		"sandbox: {network: models, hosts: [registry.npmjs.org, '*.golang.org:443']}": {
			Mode: SandboxAuto, Network: ModelsNetwork, Hosts: Hosts{"registry.npmjs.org", "*.golang.org:443"},
		},
		"sandbox: {network: models, hosts: proxy.golang.org}": {Mode: SandboxAuto, Network: ModelsNetwork, Hosts: Hosts{"proxy.golang.org"}},
		"sandbox: {caches: own}":                              {Mode: SandboxAuto, Caches: CachesOwn},
		"sandbox: {read: [~/sdk], checks: /x}":                {Mode: SandboxAuto, Read: spec.StringList{"~/sdk"}, Checks: spec.StringList{"/x"}},
	} {
		c := DefaultConfig("/p")
		err := c.Read([]byte("---\n"+text+"\n---\n"), "/p")
		want.Caches = cmp.Or(want.Caches, CachesShared)
		assert.NoError(t, err, "%q: %v", text, c.Faults)
		assert.Zero(t, c.Faults, "%q: %v", text, c.Faults)
		assert.Equal(t, want, c.Sandbox, "%q: %v", text, c.Faults)
	}
	for text, want := range map[string]string{
		"sandbox: maybe":                      `invalid sandbox "maybe" (use auto, on or off)`,
		"sandbox: {mode: 3}":                  `use auto, on or off`,
		"sandbox: {network: [http]}":          `invalid network "http" (use all, none, models or a list of TCP ports)`,
		"sandbox: {network: [models]}":        `invalid network "models"`,
		"sandbox: {hosts: ['https://x.org']}": `invalid host "https://x.org" (use a name, *.name or an address`,
		"sandbox: {hosts: ['*']}":             `invalid host "*"`,
		"sandbox: {hosts: [localhost]}":       `host "localhost" needs a port`,
		"sandbox: {network: 70000}":           `invalid network "70000"`,
		"sandbox: {caches: none}":             `sandbox.caches: "none" is not shared or own`,
		"sandbox: {write: [build]}":           `path "build" is neither absolute nor below ~/`,
	} {
		c := DefaultConfig("/p")
		err := c.Read([]byte("---\n"+text+"\n---\n"), "/p")
		assert.Error(t, err, "%q", text)
		assert.Contains(t, err.Error(), want, "%q", text)
		assert.Contains(t, err.Error(), "config.md:2", "%q", text)
	}
	ports, limited := Network("443,80").Ports()
	assert.True(t, limited, "%v %v", ports, limited)
	assert.Equal(t, []uint16{443, 80}, ports)
}
