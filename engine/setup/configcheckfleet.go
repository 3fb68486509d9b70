package setup

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/agent"
	"chant/engine/config"
	"chant/engine/store"
	"chant/providers"
)

// checkFleet checks what the settings of a fleet name on this machine: the remote, files and providers. It does not
// connect to the server.
func (c *configChecker) checkFleet(ctx context.Context) error {
	settings := c.p.Config
	add := func(text string, keys ...string) {
		c.add(spot{path: store.ConfigPath, line: settings.Line(append([]string{"fleet"}, keys...)...)}, config.RuleBadValue, text)
	}
	for _, name := range slices.Sorted(maps.Keys(settings.Fleet.Accounts)) {
		if settings.Faulty("providers." + name) {
			continue // its faults are reported already
		}
		if _, err := agent.Describe(c.p, name); err != nil {
			add("fleet.accounts: "+err.Error(), "accounts", name)
		}
	}
	if len(settings.Fleet.Servers()) == 0 {
		return nil
	}
	for _, file := range []struct{ key, path string }{{"credentials", settings.Fleet.Credentials}, {"ca", settings.Fleet.CA}} {
		path := file.path
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(providers.Variable(c.p.Environ, "HOME"), rest)
		}
		if info, err := os.Stat(path); file.path != "" && (err != nil || !info.Mode().IsRegular()) {
			add(fmt.Sprintf("fleet.%s: there is no file %q", file.key, file.path), file.key)
		}
	}
	known, err := c.p.Repo.HasRemote(ctx, settings.Fleet.Remote)
	if err == nil && !known && !settings.Faulty("fleet.remote") {
		add(fmt.Sprintf("fleet.remote: the repository has no remote %q, by which the machines exchange their work", settings.Fleet.Remote), "remote")
	}
	return err
}
