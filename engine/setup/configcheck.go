package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/shape"
	"chant/engine/verify/linter"
	"chant/markdown"
	"chant/providers"
	"chant/providers/cli"
	"chant/providers/loop"
	"chant/providers/secret"
)

// CheckConfigInput has no fields.
type CheckConfigInput struct{}

// CheckConfigResult lists everything that is wrong with the settings, with the providers, prompts and rules of the project,
// and with the keys of open specs that refer to these.
type CheckConfigResult struct {
	Findings []lint.Finding `json:"findings"` // by file and line
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Sandbox  sandbox.State  `json:"sandbox"` // whether agents and criteria run behind a wall
}

// The rules that only CheckConfig checks. Rules of lint keep their names.
const (
	ruleProvider    = "provider"
	ruleBinary      = "missing_binary"
	ruleVariable    = "missing_variable"
	ruleUnreachable = "unreachable_endpoint"
	ruleSandbox     = "missing_sandbox"
)

// openLeniently opens the project with the valid part of its settings. All other operations refuse invalid settings.
// Error: NotFound.
func openLeniently(dir string, o engine.Options) (*engine.Project, error) {
	repo, err := engine.OpenRepository(dir)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	settings, err := config.ReadWhatFits(repo.Home(), o.Environ)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	st, err := store.Open(repo, settings.Defaults.BranchPrefix)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	p, gates := engine.New(o, repo, st, settings)
	// The project works with what can be read, and the error is reported as a finding.
	p.Config.Gates = gates
	return p, nil
}

// CheckConfig reads all files that decide how specs are worked, looks for the programs that they name, and asks their
// endpoints. It changes nothing. Findings are not an error: callers must check Errors of the result.
func CheckConfig(ctx context.Context, dir string, o engine.Options, _ CheckConfigInput) (CheckConfigResult, error) {
	p, err := openLeniently(dir, o)
	if err != nil {
		return CheckConfigResult{}, err
	}
	set, _, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return CheckConfigResult{}, engine.Wrap(err, "")
	}
	c := &configChecker{p: p}
	c.checkSettings()
	err = errors.Join(c.checkProviderFiles(), c.checkPrompts())
	c.found = append(c.found, linter.CheckRules(p)...)
	c.checkSpecs(set)
	c.checkPrograms()
	c.checkSandbox()
	// The steps after these ask git and the network, which an error makes pointless.
	if err == nil {
		err = c.checkPlaces(ctx)
	}
	if err == nil {
		err = c.checkFleet(ctx)
	}
	if err == nil {
		err = c.askEndpoints(ctx)
	}
	r := CheckConfigResult{Findings: []lint.Finding{}, Sandbox: p.Sandbox().State()}
	// By place, since people correct one file after the other.
	slices.SortStableFunc(c.found, func(a, b lint.Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	// Two checks can find the same fault.
	r.Findings = append(r.Findings, slices.CompactFunc(c.found, lint.Finding.Equal)...)
	for _, f := range r.Findings {
		if f.Severity == lint.Error {
			r.Errors++
		} else {
			r.Warnings++
		}
	}
	return engine.Done(r, err, "")
}

// configChecker collects findings, and the providers and endpoints that are still to be checked.
type configChecker struct {
	p     *engine.Project
	found []lint.Finding
	uses  []providerUse
	asked []endpointUse
}

// spot is a line of a file; id is that of the spec if the file is one.
type spot struct {
	path string
	line int
	id   string
}

// providerUse is a place that names a provider.
type providerUse struct {
	spot
	name string
}

func (c *configChecker) add(at spot, rule, text string) {
	c.found = append(c.found, lint.Finding{ID: at.id, Rule: rule, Severity: lint.Error, Message: text, Path: at.path, Line: max(1, at.line)})
}

// warn adds what may be wrong.
func (c *configChecker) warn(at spot, rule, text string) {
	c.add(at, rule, text)
	c.found[len(c.found)-1].Severity = lint.Warning
}

// addFaults adds findings about the front matter of a file.
func (c *configChecker) addFaults(at spot, all []shape.Fault) {
	for _, f := range all {
		// The fence is a line, too.
		at.line = f.Line + 1
		if f.Unknown {
			add := c.add
			// An older chant had the key, so it is not a mistake.
			if f.Former {
				add = c.warn
			}
			add(at, config.RuleUnknownKey, f.Msg)
			continue
		}
		text := f.Msg
		if !strings.HasPrefix(text, f.Key) {
			text = f.Key + ": " + text
		}
		c.add(at, config.RuleBadValue, text)
	}
}

// addUnreadable adds the finding for a file that cannot be read.
func (c *configChecker) addUnreadable(path string, err error) {
	if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		c.add(spot{path: syntax.Path, line: syntax.Line}, lint.ParseRule, syntax.Msg)
		return
	}
	c.add(spot{path: path}, lint.ParseRule, err.Error())
}

// checkSettings checks config.md and collects the providers that it names.
func (c *configChecker) checkSettings() {
	settings := c.p.Config
	at := func(keys ...string) spot { return spot{path: store.ConfigPath, line: settings.Line(keys...)} }
	if settings.Broken != nil {
		c.addUnreadable(store.ConfigPath, settings.Broken)
	}
	if settings.Gates != nil {
		c.add(at(), lint.ParseRule, settings.Gates.Error())
	}
	c.addFaults(at(), settings.Faults)
	for _, l := range settings.Layers() {
		if l.Broken != nil {
			c.addUnreadable(l.Path, l.Broken)
		}
		c.addFaults(spot{path: l.Path}, l.Faults)
	}
	for _, f := range settings.UnknownKeys() {
		if f.Rule == config.RuleBadValue {
			c.add(spot{path: f.Path, line: f.Line}, f.Rule, f.Message)
		}
	}
	if !settings.IsFaulty("defaults.provider") {
		c.uses = append(c.uses, providerUse{at("defaults", "provider"), settings.Defaults.Provider})
	}
	for _, a := range settings.Parallel.Agents {
		c.uses = append(c.uses, providerUse{spot{path: store.ConfigPath, line: max(a.Line+1, settings.Line("parallel", "agents"))}, cmp.Or(a.Provider, a.Name)})
	}
	c.checkModels()
	c.checkProviders()
}

// endpointTimeout is the time limit for an answer of an endpoint.
const endpointTimeout = 3 * time.Second

// endpointUse is the URL of a server with the line that names it.
type endpointUse struct {
	spot
	url string
}

// checkProviders checks the section `providers` of the settings.
func (c *configChecker) checkProviders() {
	settings := c.p.Config
	for _, name := range slices.Sorted(maps.Keys(settings.Providers)) {
		at := spot{path: store.ConfigPath, line: settings.Line("providers", name)}
		l, ok := settings.Providers.Loop(name)
		// What is wrong with the key is reported already.
		if !ok && settings.IsFaulty("providers."+name+".api") {
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
		// Its URL may be part of the fault.
		if settings.IsFaulty("providers." + name) {
			continue
		}
		at.line = settings.Line("providers", name, "endpoint")
		c.asked = append(c.asked, endpointUse{at, l.URL()})
	}
}

// checkPrograms checks that the programs and keys of the used providers exist.
func (c *configChecker) checkPrograms() {
	for _, use := range c.uses {
		if c.p.Config.IsFaulty("providers." + use.name) {
			// Its faults are reported already.
			continue
		}
		d, err := usage.Describe(c.p, use.name)
		var known *engine.Error
		switch {
		case errors.As(err, &known) && (known.Code == engine.NotFound || spec.ValidName(use.name) != nil):
			// Lint reports it for a spec.
			if use.id == "" {
				c.add(use.spot, ruleProvider, known.Message)
			}
		// It is reported for the file that describes the provider.
		case err != nil:
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
	// The settings name the server, and are checked for themselves.
	if _, named := c.p.Config.Providers[use.name]; !named {
		c.asked = append(c.asked, endpointUse{use.spot, l.URL()})
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
			limited, cancel := context.WithTimeout(ctx, endpointTimeout)
			defer cancel()
			err := loop.Reach(limited, url)
			// Only after the answer, so that the endpoints are asked at the same time.
			mu.Lock()
			defer mu.Unlock()
			failed[url] = err
		})
	}
	asking.Wait()
	// In the order of the settings, not of the answers.
	for _, a := range c.asked {
		if err := failed[a.url]; errors.Is(err, context.DeadlineExceeded) {
			c.add(a.spot, ruleUnreachable, fmt.Sprintf("no answer from %s within %s", secret.InSettings(a.url), endpointTimeout))
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
