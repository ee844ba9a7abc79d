package io.github.lockboot.sample.cluster;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists the running instances.
 */
@RestController
record InstanceController(InstanceRegistry registry, Launcher launcher) {

	@GetMapping("/instances")
	Instances instances() {
		return new Instances(this.registry.self(), this.registry.instances(), !this.launcher.isChild());
	}

	/**
	 * The running instances.
	 *
	 * @param self URL of this one
	 * @param faults whether this one may break the others
	 */
	record Instances(String self, List<String> all, boolean faults) {
	}

}
