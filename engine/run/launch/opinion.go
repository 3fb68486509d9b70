package launch

import (
	"context"
	"fmt"
	"slices"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/place"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// AskJudge has the run's agent judge the criteria that only boxes decide in a report, in the place that the report is
// about. The settings' prompt is that of a judge. Errors are those of Ask.
func (l *Launcher) AskJudge(ctx context.Context, at place.Place, s *spec.File, report criteria.Report) (criteria.Report, error) {
	claimed := map[string]bool{}
	for _, v := range report.Criteria {
		claimed[v.ID] = v.How == criteria.ByBox
	}
	open := slices.DeleteFunc(s.Criteria(), func(c spec.Criterion) bool { return !claimed[c.ID] })
	if len(open) == 0 {
		return report, nil
	}
	again := next.Verify.On(s.ID).Set("agent", l.Job.Provider)
	text, err := l.Ask(ctx, at, s, Question{
		Who: "the judge", Doing: fmt.Sprintf("judges %d criteria", len(open)),
		Prompt: l.Settings.Prompt, Values: map[string]string{"judge.criteria": criteria.ToJudge(open)}, Form: criteria.AnswerForm, Again: again,
	})
	if err != nil {
		return report, err
	}
	said, err := opinionsOf(text, open)
	if err != nil {
		return report, &journal.Failure{Kind: spec.ReasonAgent, Next: again, Message: fmt.Sprintf("the judge gave no verdict: %s", err)}
	}
	report.Criteria = criteria.Apply(report.Criteria, said)
	report.Verified = criteria.Holds(report.Criteria)
	return report, nil
}

func opinionsOf(text string, open []spec.Criterion) (map[string]criteria.Judged, error) {
	ids := make([]string, len(open))
	for i, c := range open {
		ids[i] = c.ID
	}
	return criteria.ParseVerdicts(text, ids)
}
