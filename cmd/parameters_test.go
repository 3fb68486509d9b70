package cmd

import (
	"os"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// Settings that git passes to an alias are in the variables that chant passes on, and the list of git is gone.
func TestTakeParameters(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "0")
	t.Setenv("GIT_CONFIG_KEY_0", "")
	t.Setenv("GIT_CONFIG_VALUE_0", "")
	t.Setenv("GIT_CONFIG_PARAMETERS", "'user.name'='Ann'")
	assert.NoError(t, takeParameters())
	for name, want := range map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Ann"} {
		assert.Equal(t, want, os.Getenv(name), "%s", name)
	}
	_, left := os.LookupEnv("GIT_CONFIG_PARAMETERS")
	assert.False(t, left, "GIT_CONFIG_PARAMETERS is left")
}
