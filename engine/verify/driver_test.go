package verify

import (
	"errors"
	"testing"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// A driver without a criterion of its own passes if all its members are done and one of them had something to verify.
func TestJudgeByMembers(t *testing.T) {
	t.Parallel()
	const driver = "2026-01-02-001-abc"
	member := func(n, front, body string) *spec.File {
		s := specOf(t, driver+"."+n, front, body)
		s.Landed = s.Status == spec.Completed
		return s
	}
	const plain = "# A\n"
	done, open := member("1", "status: completed\n", asked), member("1", "status: pending\n", asked)
	bare, gone := member("2", "status: completed\n", plain), member("2", "status: cancelled\n", asked)
	away := member("1", "status: completed\n", asked)
	away.Landed = false
	nothing := VerifyResult{SpecID: driver, Status: criteria.Nothing}
	project := spec.Checks{Commands: []spec.Command{{Run: "true"}}}
	for name, c := range map[string]struct {
		r        VerifyResult
		members  []*spec.File
		checks   spec.Checks
		status   criteria.Status
		verified bool
		notes    string
	}{
		"no members":                   {nothing, nil, spec.Checks{}, criteria.Nothing, false, ""},
		"all done":                     {nothing, []*spec.File{done, bare}, spec.Checks{}, "", true, "All members are done"},
		"one is open":                  {nothing, []*spec.File{open, bare}, spec.Checks{}, "", false, "member " + driver + ".1 is not done"},
		"one has not landed":           {nothing, []*spec.File{away, bare}, spec.Checks{}, "", false, "member " + driver + ".1 is not done"},
		"none has anything to verify":  {nothing, []*spec.File{bare}, spec.Checks{}, criteria.Nothing, false, ""},
		"the project has":              {nothing, []*spec.File{bare}, project, "", true, "All members are done"},
		"only a cancelled one has":     {nothing, []*spec.File{bare, gone}, spec.Checks{}, criteria.Nothing, false, ""},
		"criteria of its own":          {VerifyResult{SpecID: driver, Status: criteria.Partial, Criteria: CriteriaCount{Total: 1}}, []*spec.File{done}, spec.Checks{}, criteria.Partial, false, ""},
		"it has failed already":        {VerifyResult{SpecID: driver, Status: criteria.Failed}, []*spec.File{done}, spec.Checks{}, criteria.Failed, false, ""},
		"its own file cannot be read":  {VerifyResult{SpecID: driver, Status: criteria.Nothing, Invalid: "x"}, []*spec.File{done}, spec.Checks{}, criteria.Nothing, false, ""},
		"another driver's are done":    {VerifyResult{SpecID: "2026-01-02-009-xyz", Status: criteria.Nothing}, []*spec.File{done}, spec.Checks{}, criteria.Nothing, false, ""},
		"done, beside one that is not": {nothing, []*spec.File{done, member("2", "status: failed\n", asked)}, spec.Checks{}, "", false, "member " + driver + ".2 is not done"},
	} {
		all := append([]*spec.File{specOf(t, driver, "type: driver\nstatus: completed\n", plain)}, c.members...)
		r := c.r
		err := r.judgeByMembers(func() (*spec.Graph, error) { return spec.GraphOf(all, nil), nil }, c.checks)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.status, r.Status, "%s", name)
		assert.Equal(t, c.verified, r.Verified, "%s", name)
		assert.Equal(t, c.notes, r.Notes, "%s", name)
	}
}

// All specs are read only if the result depends on them.
func TestJudgeByMembers_readsOnlyWhereItMatters(t *testing.T) {
	t.Parallel()
	broken := errors.New("cannot be read")
	for name, c := range map[string]struct {
		r    VerifyResult
		want error
	}{
		"with criteria":     {VerifyResult{Status: criteria.Passed, Criteria: CriteriaCount{Total: 1}}, nil},
		"nothing to verify": {VerifyResult{Status: criteria.Nothing}, broken},
		"failed":            {VerifyResult{Status: criteria.Failed}, nil},
	} {
		assert.IsError(t, c.r.judgeByMembers(func() (*spec.Graph, error) { return nil, broken }, spec.Checks{}), c.want, "%s", name)
	}
}

// The completion of a driver needs no evidence only if the spec never had anything to verify.
func TestJudgedByMembersOnly(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.commit("all", map[string]string{
		".chant/specs/" + idOf(1) + ".1.md": "# Member\n", ".chant/specs/" + idOf(3) + ".md": "# Listed\n",
	})
	const plain = "# A\n"
	driver := func(n int, front, body string) *spec.File { return specOf(t, idOf(n), "type: driver\n"+front, body) }
	for name, c := range map[string]struct {
		s, was *spec.File
		want   bool
	}{
		"a member by its id":                {driver(1, "", plain), nil, true},
		"a member by its list":              {driver(2, "members: ["+idOf(3)+"]\n", plain), nil, true},
		"no member":                         {driver(2, "", plain), nil, false},
		"a listed member that is not there": {driver(2, "members: ["+idOf(9)+"]\n", plain), nil, false},
		"criteria of its own":               {driver(1, "", asked), nil, false},
		"commands of its own":               {driver(1, "verify:\n  commands: [\"true\"]\n", plain), nil, false},
		"it was a driver":                   {driver(1, "", plain), driver(1, "", "# Before\n"), true},
		"it had criteria":                   {driver(1, "", plain), driver(1, "", asked), false},
		"it was code":                       {driver(1, "", plain), specOf(t, idOf(1), "type: code\n", plain), false},
	} {
		got, err := judgedByMembersOnly(t.Context(), h.p, c.s, c.was)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
}
