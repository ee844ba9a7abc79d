package io.github.lockboot.autoconfigure.leader;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.LockRequest;
import io.github.lockboot.autoconfigure.PropertyErrors;

/**
 * Configuration properties of leader elections.
 *
 * @param roles Roles for each of which one instance is elected as the leader.
 * @param leaseTime Time after which another instance leads if the leader dies. By
 * default, the lease time of the locks.
 * @since 1.0.0
 */
@ConfigurationProperties("lock.leader")
public record LeaderProperties(@DefaultValue List<String> roles, @Nullable Duration leaseTime) implements Validator {

	@Override
	public boolean supports(Class<?> type) {
		return LeaderProperties.class == type;
	}

	@Override
	public void validate(Object target, Errors errors) {
		LeaderProperties leader = (LeaderProperties) target;
		PropertyErrors all = new PropertyErrors(errors);
		all.check("roles", () -> {
			Assert.isTrue(leader.roles.stream().allMatch(StringUtils::hasText),
					"A role must not be blank: remove it, or the comma");
			Assert.isTrue(Set.copyOf(leader.roles).size() == leader.roles.size(),
					() -> "Each role must be named once, but there are " + leader.roles);
		});
		all.check("leaseTime", () -> LockRequest.of("leader").leaseTime(leader.leaseTime));
	}

}
