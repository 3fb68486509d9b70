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

// reachFor is how long an endpoint may take to answer.
const reachFor = 3 * time.Second

// askedURL is a place that names a server.
type askedURL struct {
	spot
	url string
}

// loops checks the section `providers` of the settings.
func (c *configChecker) loops() {
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

// programs looks for what the providers that are named need.
func (c *configChecker) programs() {
	for _, use := range c.uses {
		if c.p.Config.Faulty("providers." + use.name) {
			continue // what it would be without its faults is not what was meant
		}
		d, err := agent.Described(c.p, use.name)
		var known *engine.Error
		switch {
		case errors.As(err, &known) && (known.Code == engine.NotFound || spec.ValidName(use.name) != nil):
			if use.id == "" { // of a spec lint tells
				c.add(use.spot, ruleProvider, known.Message)
			}
		case err != nil: // which is told of the file that describes it
		case d.Loop != nil:
			c.loop(use, *d.Loop)
		case d.Cli != nil:
			c.program(use, d.Cli.Command)
		default:
			c.program(use, "sh")
		}
	}
}

// loop looks for the key of a model, and its server where the settings do not name one.
func (c *configChecker) loop(use providerUse, l cli.Loop) {
	if _, err := l.Key(c.p.Environ); err != nil {
		c.add(use.spot, ruleVariable, fmt.Sprintf("provider %q: %s", use.name, err))
	}
	if _, named := c.p.Config.Providers[use.name]; !named {
		c.asked = append(c.asked, askedURL{use.spot, l.URL()})
	}
}

// program looks for a program. A placeholder in its name is only known in a run.
func (c *configChecker) program(use providerUse, command string) {
	if strings.Contains(command, "{{") {
		return
	}
	if _, err := providers.Find(command, engine.Home(c.p), c.p.Environ); err != nil {
		c.add(use.spot, ruleBinary, fmt.Sprintf("provider %q: program %q not found", use.name, command))
	}
}

// reach asks every endpoint once, all at a time. Any answer will do.
func (c *configChecker) reach(ctx context.Context) error {
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

// endpoints are the URLs to ask, each once.
func (c *configChecker) endpoints() []string {
	var urls []string
	for _, a := range c.asked {
		urls = append(urls, a.url)
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}
