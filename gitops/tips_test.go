package gitops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"chant/gitops/revision"
)

func TestIndependent(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	var all []string
	for i := range 3 {
		all = append(all, s.commit("a", fmt.Sprint(i)))
	}
	s.git("checkout", "-q", "-b", "side", all[0])
	side := s.commit("b", "side")
	got := must[[]string](t)(s.Independent(ctx, append(slices.Clone(all), side, all[2])))
	slices.Sort(got)
	want := []string{all[2], side}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := must[[]string](t)(s.Independent(ctx, nil)); len(got) > 0 {
		t.Errorf("of none: %v", got)
	}
	many := slices.Repeat(all, revision.TipsAtOnce) // more than one process is asked about
	if got := must[[]string](t)(s.Independent(ctx, many)); !slices.Equal(got, all[2:]) {
		t.Errorf("of many: %v", got)
	}
	if _, err := s.Independent(ctx, []string{s.git("rev-parse", "HEAD^{tree}")}); !errors.Is(err, ErrNotFound) {
		t.Errorf("of a tree: %v", err)
	}
}

func TestParted(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	one, two, three := s.commit("a", "1"), s.commit("a", "2"), s.commit("a", "3")
	s.git("checkout", "-q", "-b", "side", one)
	side := s.commit("b", "side")
	if got := must[string](t)(s.Parted(ctx, three, []string{side, two, one})); got != two {
		t.Errorf("%s, want %s", got, two)
	}
	if got := must[string](t)(s.Parted(ctx, three, slices.Concat([]string{two}, slices.Repeat([]string{side}, revision.TipsAtOnce)))); got != two {
		t.Errorf("of many: %s, want %s", got, two)
	}
	s.git("checkout", "-q", "--orphan", "alone")
	s.git("commit", "-q", "--allow-empty", "-m", "alone")
	alone := s.git("rev-parse", "HEAD")
	for _, others := range [][]string{nil, {side, three}} {
		if _, err := s.Parted(ctx, alone, others); !errors.Is(err, ErrNotFound) {
			t.Errorf("of %d strangers: %v", len(others), err)
		}
	}
}
