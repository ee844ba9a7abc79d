@NullMarked
package io.github.lockboot.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
