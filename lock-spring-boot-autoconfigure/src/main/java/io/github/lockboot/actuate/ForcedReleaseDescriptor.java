package io.github.lockboot.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Result of a forced release.
 *
 * @param template bean name of the template
 * @param name name of the lock
 * @param released whether the lock was held
 * @since 1.0.0
 */
public record ForcedReleaseDescriptor(String template, String name, boolean released) implements OperationResponseBody {

}
