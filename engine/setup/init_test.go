package setup

import (
	"testing"

	"chant/engine/store/config"
)

func TestInit_isIdempotent(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	again, err := Init(t.Context(), dir, p.Options, InitInput{})
	if err != nil || len(again.Made) > 0 || len(again.Changed) > 0 || again.Commit != "" {
		t.Errorf("second init: %+v, %v", again, err)
	}
	changed, err := Init(t.Context(), dir, p.Options, InitInput{Model: "m1"})
	if err != nil || len(changed.Changed) != 1 || changed.Commit == "" {
		t.Errorf("init --model: %+v, %v", changed, err)
	}
	c, err := config.ReadConfig(dir)
	if err != nil || c.Defaults.Model != "m1" || c.Defaults.Provider != "shell" || c.Defaults.MainBranch != "main" {
		t.Errorf("config %+v, %v", c, err)
	}
}
