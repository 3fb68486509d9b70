// Package feature has the commands for features of spec-kit and changes of OpenSpec: adopt, feature and hook.
package feature
