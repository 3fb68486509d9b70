package setup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/config"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers"
	"chant/providers/cli"
	"chant/providers/loop"
	"chant/providers/secret"
)

// reachFor is the time limit for an answer of an endpoint.
const reachFor = 3 * time.Second

// askedURL is the URL of a server with the line that names it.
type askedURL struct {
	spot
	url string
}

// checkProviders checks the section `providers` of the settings.
func (c *configChecker) checkProviders() {
	settings := c.p.Config
	for _, name := range slices.Sorted(maps.Keys(settings.Providers)) {
		at := spot{path: store.ConfigPath, line: settings.Line("providers", name)}
		l, ok := settings.Providers.Loop(name)
		if !ok && settings.Faulty("providers."+name+".api") {
			continue
		}
		if !ok {
			c.add(at, config.RuleBadValue, fmt.Sprintf("providers.%s: api is missing (one of %s)", name, strings.Join(cli.LoopNames(), ", ")))
			continue
		}
		if err := l.Check(); err != nil {
			if wrong, ok := errors.AsType[*loop.FieldError](err); ok {
				at.line = settings.Line("providers", name, wrong.Field)
			}
			c.add(at, config.RuleBadValue, "providers."+name+": "+err.Error())
			continue
		}
		if settings.Faulty("providers." + name) {
			continue
		}
		at.line = settings.Line("providers", name, "endpoint")
		c.asked = append(c.asked, askedURL{at, l.URL()})
	}
}

// checkPrograms checks that the programs and keys of the used providers exist.
func (c *configChecker) checkPrograms() {
	for _, use := range c.uses {
		if c.p.Config.Faulty("providers." + use.name) {
			continue // its faults are reported already
		}
		d, err := agent.Describe(c.p, use.name)
		var known *engine.Error
		switch {
		case errors.As(err, &known) && (known.Code == engine.NotFound || spec.ValidName(use.name) != nil):
			if use.id == "" { // lint reports it for a spec
				c.add(use.spot, ruleProvider, known.Message)
			}
		case err != nil: // reported for the file that describes the provider
		case d.Loop != nil:
			c.checkLoop(use, *d.Loop)
		case d.Cli != nil:
			c.checkProgram(use, d.Cli.Command)
		default:
			c.checkProgram(use, "sh")
		}
	}
}

// checkLoop checks that the key of a model exists, and adds its server unless the settings name one.
func (c *configChecker) checkLoop(use providerUse, l cli.Loop) {
	if _, err := l.Key(c.p.Environ); err != nil {
		c.add(use.spot, ruleVariable, fmt.Sprintf("provider %q: %s", use.name, err))
	}
	if _, named := c.p.Config.Providers[use.name]; !named {
		c.asked = append(c.asked, askedURL{use.spot, l.URL()})
	}
}

// checkProgram checks that a program exists, unless its name has a placeholder, which only a run can replace.
func (c *configChecker) checkProgram(use providerUse, command string) {
	if strings.Contains(command, "{{") {
		return
	}
	if _, err := providers.Find(command, engine.Home(c.p), c.p.Environ); err != nil {
		c.add(use.spot, ruleBinary, fmt.Sprintf("provider %q: program %q not found", use.name, command))
	}
}

// askEndpoints asks every endpoint once, all at the same time. Any answer counts as success.
func (c *configChecker) askEndpoints(ctx context.Context) error {
	failed := map[string]error{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	for _, url := range c.endpoints() {
		asking.Go(func() {
			limited, cancel := context.WithTimeout(ctx, reachFor)
			defer cancel()
			err := loop.Reach(limited, url)
			mu.Lock()
			defer mu.Unlock()
			failed[url] = err
		})
	}
	asking.Wait()
	for _, a := range c.asked {
		if err := failed[a.url]; errors.Is(err, context.DeadlineExceeded) {
			c.add(a.spot, ruleUnreachable, fmt.Sprintf("no answer from %s within %s", secret.InSettings(a.url), reachFor))
		} else if err != nil {
			c.add(a.spot, ruleUnreachable, secret.InSettings(err.Error()))
		}
	}
	return ctx.Err()
}

// endpoints lists the URLs to ask, each once.
func (c *configChecker) endpoints() []string {
	var urls []string
	for _, a := range c.asked {
		urls = append(urls, a.url)
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}
