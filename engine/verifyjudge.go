package engine

import (
	"context"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
	"chant/providers"
)

// judge is the provider whose agent judges criteria without a command.
func (e *Engine) judge(name string) (providers.Provider, error) {
	if name == providers.Shell().Name() {
		return nil, fail(Usage, "chant verify --help", "the shell runs scripts and cannot judge; name an agent")
	}
	return e.provider(name)
}

// askJudge has the agent of r judge what only boxes speak for.
func askJudge(ctx context.Context, r *run.Run, at run.Place, s *spec.Spec, report *verify.Report) error {
	boxes := map[string]bool{}
	for _, v := range report.Criteria {
		boxes[v.ID] = v.How == verify.ByBox
	}
	var open []spec.Criterion
	for _, c := range spec.Criteria(s.Doc) {
		if boxes[c.ID] {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return nil
	}
	said, err := r.Opinions(ctx, at, s, open)
	if err != nil {
		return err
	}
	report.Criteria = verify.Apply(report.Criteria, said)
	report.Verified = verify.Holds(report.Criteria)
	return nil
}
