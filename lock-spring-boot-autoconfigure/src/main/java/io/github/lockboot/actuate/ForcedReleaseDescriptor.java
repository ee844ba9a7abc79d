package io.github.lockboot.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint has done to a lock.
 *
 * @param template bean name of the template
 * @param name name of the lock
 * @param released whether somebody held it
 * @since 1.0.0
 */
public record ForcedReleaseDescriptor(String template, String name, boolean released) implements OperationResponseBody {

}
