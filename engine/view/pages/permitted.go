package pages

import "chant/engine"

// MayBuild refuses to write a site inside a run.
func MayBuild(p *engine.Project) error { return engine.Wrap(engine.MayInside(p, "site", ""), "") }

// MayServe refuses to serve pages inside a run: they act as a person.
func MayServe(p *engine.Project) error { return engine.Wrap(engine.MayInside(p, "serve", ""), "") }
