package io.github.lockboot.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.actuate.LocksDescriptor.TemplateDescriptor;

/**
 * {@link Endpoint @Endpoint} that shows the locks of this instance, what the store knows
 * of one lock, and lets an operator take a lock away.
 * <p>
 * The name of a lock may stand in the path, where its slashes are slashes; one that
 * begins or ends with a slash, or has two in a row, has to be given as the parameter
 * {@code name}. A store that does not answer within its time limit fails a forced release
 * with {@link LockUnavailableException}; of one lock that is shown the rest is shown.
 * Taking a lock away is off by default: {@code management.endpoint.locks.access} allows
 * it.
 *
 * @since 1.0.0
 */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

	private final LockTemplates templates;

	/**
	 * Create the endpoint.
	 * @param templates the templates by the names of their beans
	 */
	public LocksEndpoint(Map<String, LockOperations> templates) {
		this.templates = new LockTemplates(templates);
	}

	/**
	 * Show the locks.
	 * @param name name of the one lock to show, as the store sees it too; {@code null}
	 * for all that this instance is about
	 * @param template bean name of the template; {@code null} for all templates
	 * @return the locks
	 * @throws InvalidEndpointRequestException if the name is blank, or there is no such
	 * template
	 */
	@ReadOperation
	public LocksDescriptor locks(@Nullable String name, @Nullable String template) {
		return describe(template, (operations) -> (name != null) ? one(operations, LockTemplates.lock(name))
				: TemplateDescriptor.of(LockTemplates.activity(operations)));
	}

	private static TemplateDescriptor one(LockOperations operations, String name) {
		LockActivity activity = LockTemplates.activity(operations);
		try {
			return TemplateDescriptor.of(activity, name, operations.inspect(name), null);
		}
		catch (LockUnavailableException ex) {
			return TemplateDescriptor.of(activity, name, null, ex.getMessage());
		}
	}

	/**
	 * Show one lock.
	 * @param path name of the lock, split at its slashes
	 * @param template bean name of the template; {@code null} for all templates
	 * @return the lock
	 * @throws InvalidEndpointRequestException if there is no such template
	 */
	@ReadOperation
	public LocksDescriptor lock(@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String template) {
		return locks(String.join("/", path), template);
	}

	/**
	 * Take a lock away from whoever holds it. The holder is told as soon as can be, and
	 * may still be at work.
	 * @param name name of the lock
	 * @param template bean name of the template; may be {@code null} if there is only one
	 * @return what was done
	 * @throws InvalidEndpointRequestException if the name is blank, there is no such
	 * template, or there are several and none is named
	 */
	@DeleteOperation
	public ForcedReleaseDescriptor forceRelease(String name, @Nullable String template) {
		String chosen = this.templates.one(template);
		return new ForcedReleaseDescriptor(chosen, name,
				this.templates.named(chosen).forceRelease(LockTemplates.lock(name)));
	}

	/**
	 * Take a lock away from whoever holds it.
	 * @param path name of the lock, split at its slashes
	 * @param template bean name of the template; may be {@code null} if there is only one
	 * @return what was done
	 * @throws InvalidEndpointRequestException as {@link #forceRelease} does
	 */
	@DeleteOperation
	public ForcedReleaseDescriptor forceReleasePath(@Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String template) {
		return forceRelease(String.join("/", path), template);
	}

	private LocksDescriptor describe(@Nullable String template,
			Function<LockOperations, TemplateDescriptor> description) {
		Map<String, TemplateDescriptor> described = new LinkedHashMap<>();
		this.templates.chosen(template)
			.forEach((name, operations) -> described.put(name, description.apply(operations)));
		return new LocksDescriptor(described);
	}

}
