package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

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
	config := c.e.config
	for _, name := range slices.Sorted(maps.Keys(config.Providers)) {
		at := spot{path: store.ConfigPath, line: config.line("providers", name)}
		l, ok := config.Providers.loop(name)
		if !ok && config.faulty("providers."+name+".api") {
			continue
		}
		if !ok {
			c.add(at, ruleBadValue, fmt.Sprintf("providers.%s: api is missing (one of %s)", name, strings.Join(cli.LoopNames(), ", ")))
			continue
		}
		if err := l.Check(); err != nil {
			key, _, _ := strings.Cut(err.Error(), ":")
			at.line = config.line("providers", name, key)
			c.add(at, ruleBadValue, "providers."+name+": "+err.Error())
			continue
		}
		if config.faulty("providers." + name) {
			continue
		}
		at.line = config.line("providers", name, "endpoint")
		c.asked = append(c.asked, askedURL{at, l.URL()})
	}
}

// programs looks for what the providers that are named need.
func (c *configChecker) programs() {
	for _, use := range c.uses {
		if c.e.config.faulty("providers." + use.name) {
			continue // what it would be without its faults is not what was meant
		}
		d, err := c.e.described(use.name)
		var known *Error
		switch {
		case errors.As(err, &known) && (known.Code == NotFound || spec.ValidName(use.name) != nil):
			if use.id == "" { // of a spec lint tells
				c.add(use.spot, ruleProvider, known.Message)
			}
		case err != nil: // which is told of the file that describes it
		case d.loop != nil:
			c.loop(use, *d.loop)
		case d.cli != nil:
			c.program(use, d.cli.Command)
		default:
			c.program(use, "sh")
		}
	}
}

// loop looks for the key of a model, and its server where the settings do not name one.
func (c *configChecker) loop(use providerUse, l cli.Loop) {
	if _, err := l.Key(c.e.Environ); err != nil {
		c.add(use.spot, ruleVariable, fmt.Sprintf("provider %q: %s", use.name, err))
	}
	if _, named := c.e.config.Providers[use.name]; !named {
		c.asked = append(c.asked, askedURL{use.spot, l.URL()})
	}
}

// program looks for a program. A placeholder in its name is only known in a run.
func (c *configChecker) program(use providerUse, command string) {
	if strings.Contains(command, "{{") {
		return
	}
	if _, err := providers.Find(command, c.e.Home(), c.e.Environ); err != nil {
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
