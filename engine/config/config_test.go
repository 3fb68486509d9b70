package config

import (
	"testing"
	"time"
)

func TestConfig_defaultsAndLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, "---\nproject: {name: x}\nlimits:\n  time: 90s\n  silence: 0\nnonsense: 1\n---\n")
	c, err := ReadConfig(dir)
	if err != nil || time.Duration(c.Limits.Time) != 90*time.Second || time.Duration(c.Limits.Check) != 10*time.Minute || c.Defaults.Provider != "claude" {
		t.Errorf("%+v, %v", c, err)
	}
	if len(c.Faults) != 1 || c.Faults[0].Key != "nonsense" {
		t.Errorf("unknown keys %+v", c.Faults)
	}
}
