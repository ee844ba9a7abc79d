package io.github.lockboot.actuate;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The roles that the endpoint shows.
 *
 * @param roles the roles for which this instance is a candidate, by name
 * @since 1.0.0
 */
public record LeadersDescriptor(Map<String, RoleDescriptor> roles) implements OperationResponseBody {

	/**
	 * One role.
	 *
	 * @param leader whether this instance leads
	 * @param since when this instance was elected; {@code null} if it does not lead
	 * @param fencingToken token of the leadership; {@code null} if it does not lead
	 */
	public record RoleDescriptor(boolean leader, @Nullable Instant since, @Nullable Long fencingToken) {

	}

}
