// Package commands contains the command `chant command`: prompts that are found, shown and rendered.
//
// It binds flags to the inputs of operations and renders their results. It decides nothing about commands.
package commands
